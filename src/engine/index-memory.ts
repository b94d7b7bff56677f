/** How much memory does this process really hold? */
import { readFileSync } from 'node:fs';

/**
 * Resident bytes of the process without the pages of mapped files, which the library's database brings in while it is
 * searched and which the system takes back by itself. Where the system doesn't tell them apart: all resident bytes.
 */
export function heldBytes(): number {
  if (process.platform === 'linux') {
    const held = /^RssAnon:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
    if (held !== undefined) return Number(held) * 1024;
  }
  return process.memoryUsage.rss();
}
