// CPU twin of decode_positions.

/** Twin of decode_positions: the first of the four words of every sequence's decoding state (B, 4). */
export function decodePositionsRef(state: Uint32Array, b: number): Uint32Array {
  return Uint32Array.from({ length: b }, (_, i) => state[i * 4] as number);
}
