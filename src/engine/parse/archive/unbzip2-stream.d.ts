/** The library has no types of its own. */
declare module 'unbzip2-stream' {
  /** A stream of the old kind that takes packed bytes and gives unpacked ones. */
  export default function bunzip2(): NodeJS.ReadWriteStream;
}
