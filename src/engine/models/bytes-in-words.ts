/** How is a number of bytes said to a person? */

/** Decimal units, as hosts and file managers count: "24 MB", "2.6 GB"; never "0". */
export function bytesInWords(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`;
  return `${Math.ceil(bytes / 1e3)} kB`;
}
