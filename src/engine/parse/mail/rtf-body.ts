/** What does a mail's body say that Outlook keeps as compressed rich text (MS-OXRTFCP)? */
import iconv from 'iconv-lite';
import { ParseFailure, type SourceFile } from '../../document.ts';

/** html where the writer wrote a page, which Outlook wraps into rich text (MS-OXRTFEX); else text. Empty where neither can be had. */
export async function readRtfBody(
  compressed: Uint8Array,
  file: SourceFile,
  signal: AbortSignal,
): Promise<{ html: string; text: string }> {
  const { decompressRTF } = await import('@kenjiuno/decompressrtf');
  try {
    const rtf = Buffer.from(decompressRTF([...compressed]));
    const html = await htmlInside(rtf);
    return { html, text: html === '' ? await textOf(rtf, file, signal) : '' };
  } catch {
    signal.throwIfAborted();
    // Its head and what is attached are worth reading whatever became of its body.
    return { html: '', text: '' };
  }
}

async function htmlInside(rtf: Buffer): Promise<string> {
  if (!/\\fromhtml1/.test(rtf.toString('latin1', 0, 400))) return '';
  const { deEncapsulateSync } = await import('rtf-stream-parser');
  return deEncapsulateSync(rtf, { decode: iconv.decode, mode: 'html' }).text.toString();
}

async function textOf(rtf: Buffer, file: SourceFile, signal: AbortSignal): Promise<string> {
  const { parseRtf } = await import('../flow/parse-rtf.ts');
  const texts: string[] = [];
  try {
    for await (const part of parseRtf({ ...file, bytes: rtf, sizeBytes: rtf.length }, signal)) {
      if (part.type === 'block') texts.push(part.block.text);
    }
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
  }
  return texts.join('\n');
}
