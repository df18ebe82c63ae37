declare module "*.wasm?bytes" {
  /** Bytes of the file. */
  export const size: number;
  /** The bytes of the file. @param onBytes receives the number of bytes that have arrived. @throws an error when it cannot be read. */
  export function bytes(onBytes?: (arrived: number) => void): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;
}
