/** What is of Tesseract's core, which comes without types? */
declare module 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js' {
  const factory: (options: object) => Promise<import('./recogniser.ts').TesseractModule>;
  export default factory;
}
