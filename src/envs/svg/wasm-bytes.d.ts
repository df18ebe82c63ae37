declare module "*.wasm?bytes" {
  /** The bytes of the file. @throws an error when it cannot be read. */
  export function bytes(): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;
}
