/** Which part of a prepared page may stand in the frame? */
import DOMPurify from 'dompurify';

/** Everything active or fetched goes, a second time after the engine: its view is only as trusted as the file. */
export function sanitisePage(html: string): HTMLElement {
  return DOMPurify.sanitize(html, {
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    USE_PROFILES: { html: true },
    ADD_TAGS: ['style'],
    FORBID_TAGS: [
      'form',
      'input',
      'select',
      'textarea',
      'iframe',
      'object',
      'embed',
      'audio',
      'video',
      'link',
      'base',
    ],
    FORBID_ATTR: ['href', 'action', 'formaction', 'srcset', 'background', 'ping', 'target'],
    // Every attribute's value is held against this, so plain values must pass; of schemes only data, and of pictures.
    ALLOWED_URI_REGEXP: /^(?:data:image\/(?:png|jpeg|gif|webp|bmp);|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  }) as HTMLElement;
}
