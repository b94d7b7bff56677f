/** How does the page start? */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/source-serif-4/opsz.css';
import './styles/index.css';
import { loadFaces } from './settings/load-faces.ts';

/**
 * In steps, each in a task of its own: the engine may be reading at full speed meanwhile, and one long task would hold up
 * the first key press. The faces come first, for a late face would move the lines; then the way to the engine, so that
 * its first answers are under way while the page is loaded.
 */
async function start(root: HTMLElement): Promise<void> {
  loadFaces();
  const { openConnection } = await import('./engine/transport.ts');
  const connection = openConnection();
  const { createRoot } = await import('react-dom/client');
  const { drawPage } = await import('./page/draw-page.tsx');
  drawPage(createRoot(root), connection);
}

const root = document.getElementById('root');
if (root !== null) void start(root);
