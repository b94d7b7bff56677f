/** Which page does a Markdown text make, with the source lines of every block written on it? */
import MarkdownIt from 'markdown-it';

/** HTML of the text. Raw HTML in it is read as text without its tags; links and images lead nowhere. */
export function renderMarkdown(text: string): string {
  const markdown = new MarkdownIt({ html: true, linkify: false });
  const { escapeHtml } = markdown.utils;
  markdown.core.ruler.push('source-lines', (state) => {
    for (const token of state.tokens) {
      if (token.map && token.nesting >= 0 && token.type !== 'inline') {
        token.attrSet('data-line', `${token.map[0] + 1}-${Math.max(token.map[0] + 1, token.map[1])}`);
      }
    }
  });
  markdown.renderer.rules.html_inline = () => '';
  markdown.renderer.rules.html_block = (tokens, index) => {
    const token = tokens[index]!;
    const shown = withoutTags(token.content).trim();
    return shown === '' ? '' : `<p data-line="${token.attrGet('data-line')}">${escapeHtml(shown)}</p>\n`;
  };
  markdown.renderer.rules.image = (tokens, index) => escapeHtml(tokens[index]!.content);
  markdown.renderer.rules.link_open = (tokens, index) =>
    `<a title="${escapeHtml(String(tokens[index]!.attrGet('href') ?? ''))}">`;
  return markdown.render(withoutFrontMatter(text));
}

/** Front matter is blanked, so that every line keeps its number. */
function withoutFrontMatter(text: string): string {
  if (!/^---\s*\n/.test(text)) return text;
  const lines = text.split('\n', 200);
  const end = lines.findIndex((line, i) => i > 0 && /^(---|\.\.\.)\s*$/.test(line));
  const isFrontMatter =
    end > 0 &&
    lines.slice(1, end).every((line) => line.trim() === '' || /^(\s|#|-\s|[\w.-]+\s*:)/.test(line));
  if (!isFrontMatter) return text;
  const rest = text.split('\n').slice(end + 1);
  return '\n'.repeat(end + 1) + rest.join('\n');
}

const withoutTags = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/<(script|style)\b[\s\S]{0,10000}?<\/\1>/gi, '')
    .replace(/<\/?[a-z][^<>]*>/gi, '');
