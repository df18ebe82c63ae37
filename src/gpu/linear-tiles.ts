// Shapes of matrix products in classes, for each of which a probe decides between the tiles of 64 × 64 and of 128 × 64.

const PRODUCTS = ["forward", "input", "weight"] as const;
const SIZES = ["small", "medium", "large"] as const;

/** The three products of a linear layer: outputs, gradient of the input, gradient of the weight. */
export type LinearProduct = (typeof PRODUCTS)[number];
/** How many workgroups a product has: few leave a GPU idle, whatever their tile. */
export type ProductSize = (typeof SIZES)[number];
/** Products that run with the same tile, e.g. "forward large". */
export type TileClass = `${LinearProduct} ${ProductSize}`;

export const TILE_CLASSES: readonly TileClass[] = SIZES.flatMap((size) =>
  PRODUCTS.map((product) => `${product} ${size}` as const),
);

/** Tiles of 64 × 64 from which on a product is medium, or large. */
const MEDIUM = 128;
const LARGE = 512;

/**
 * The class of a product with `rows` × `cols` outputs, in `splits` partial products.
 * @returns null where at least half of a tile of 128 rows would be empty.
 */
export function tileClass(product: LinearProduct, rows: number, cols: number, splits = 1): TileClass | null {
  if (rows <= 64) return null;
  const tiles = Math.ceil(rows / 64) * Math.ceil(cols / 64) * splits;
  return `${product} ${tiles >= LARGE ? "large" : tiles >= MEDIUM ? "medium" : "small"}`;
}
