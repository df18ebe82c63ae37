import { describe, expect, it } from "vitest";
import { TILE_CLASSES, tileClass } from "./linear-tiles.ts";

describe("the class of a product", () => {
  it.each([
    // 8 × 4, 16 × 8, 16 × 32 tiles of 64 × 64, and one tile less of the last two.
    [512, 256, "forward small"],
    [1024, 448, "forward small"],
    [1024, 512, "forward medium"],
    [1024, 1984, "forward medium"],
    [1024, 2048, "forward large"],
    // Tiles at the edges count whole.
    [961, 450, "forward medium"],
  ])("of %i × %i outputs is %s", (rows, cols, want) => {
    expect(tileClass("forward", rows, cols)).toBe(want);
  });

  it("counts every partial product", () => {
    expect(tileClass("weight", 256, 512)).toBe("weight small");
    expect(tileClass("weight", 256, 512, 4)).toBe("weight medium");
    expect(tileClass("weight", 256, 512, 16)).toBe("weight large");
  });

  it("does not exist where half of a tile of 128 rows would be empty", () => {
    expect(tileClass("forward", 64, 65_536)).toBeNull();
    expect(tileClass("forward", 65, 65_536)).toBe("forward large");
  });

  it("is one of nine", () => {
    expect(new Set(TILE_CLASSES).size).toBe(9);
    expect(TILE_CLASSES).toContain(tileClass("input", 512, 512));
  });
});
