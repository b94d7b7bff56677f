/** Which parts of the WebAssembly API does PDFium need? Node has them, but only browsers' type libraries describe them. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  type Imports = Record<string, Record<string, unknown>>;
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Instance: new (module: Module, imports: Imports) => Instance;
  const RuntimeError: ErrorConstructor;
  function compile(bytes: Uint8Array): Promise<Module>;
}
