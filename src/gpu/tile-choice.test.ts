import { describe, expect, it, vi } from "vitest";
import { GpuError } from "../core/errors.ts";
import type { Gpu } from "./device.ts";
import { TILE_CLASSES, type TileClass } from "./linear-tiles.ts";
import { KERNEL_VERSION, type TextStore, TileChoices } from "./tile-choice.ts";
import { fasterWithLarge, type TileTime } from "./tile-probe.ts";

const adapter = (architecture: string, software = false) =>
  ({ caps: { vendor: "acme", architecture, description: "", software } }) as Gpu;
const KEY = "acme / one / ";

/** The larger tile is clearly faster for one class, by less than the margin for another, and slower for the rest. */
const LARGE_MS: Partial<Record<TileClass, number>> = { "forward large": 1.5, "weight large": 1.95 };
const TIMES: readonly TileTime[] = TILE_CLASSES.map((tileClass) => ({
  tileClass,
  stagedMs: 2,
  largeMs: LARGE_MS[tileClass] ?? 3,
}));

const probeOf = (times: readonly TileTime[] = TIMES) => vi.fn(async (_: Gpu) => [...times]);

/** A store in memory that begins with `text`. */
function storeOf(text: string | null): TextStore & { text: string | null } {
  return {
    text,
    async read() {
      return this.text;
    },
    async write(written) {
      this.text = written;
    },
  };
}

const stored = (devices: unknown, version: unknown = KERNEL_VERSION) => JSON.stringify({ version, devices });

describe("the choice of tiles", () => {
  it("takes the larger tile where it is clearly faster", () => {
    expect(fasterWithLarge(TIMES)).toEqual(["forward large"]);
  });

  it("measures a new device once, and stores what it found", async () => {
    const [store, probe] = [storeOf(null), probeOf()];
    const choices = new TileChoices(store, probe);
    expect(await Promise.all([choices.of(adapter("one")), choices.of(adapter("one"))])).toEqual([
      ["forward large"],
      ["forward large"],
    ]);
    expect(probe).toHaveBeenCalledOnce();
    expect(store.text).toBe(stored({ [KEY]: ["forward large"] }));

    const later = probeOf();
    expect(await new TileChoices(store, later).of(adapter("one"))).toEqual(["forward large"]);
    expect(later).not.toHaveBeenCalled();
  });

  it.each([
    ["ran out of time", "weight large"],
    ["found a product whose tiles differ", "input"],
  ])(
    "does not store the result of a probe that %s, so the next session measures again",
    async (_, missing) => {
      const store = storeOf(null);
      const some = TIMES.filter(({ tileClass }) => !tileClass.startsWith(missing));
      expect(await new TileChoices(store, probeOf(some)).of(adapter("one"))).toEqual(["forward large"]);
      expect(store.text).toBeNull();

      const later = probeOf();
      await new TileChoices(store, later).of(adapter("one"));
      expect(later).toHaveBeenCalledOnce();
      expect(store.text).toBe(stored({ [KEY]: ["forward large"] }));
    },
  );

  it("keeps what it stored of other devices", async () => {
    const store = storeOf(stored({ [KEY]: ["input medium"] }));
    await new TileChoices(store, probeOf()).of(adapter("two"));
    expect(store.text).toBe(stored({ [KEY]: ["input medium"], "acme / two / ": ["forward large"] }));
  });

  it.each([
    ["another version of the kernels", stored({ [KEY]: ["input small"] }, KERNEL_VERSION - 1)],
    ["no version", JSON.stringify({ devices: { [KEY]: ["input small"] } })],
    ["a broken text", stored({ [KEY]: ["input small"] }).slice(0, -3)],
    ["an empty text", ""],
    ["a class that does not exist", stored({ [KEY]: ["input small", "input huge"] })],
    ["a choice that is no list", stored({ [KEY]: "input small" })],
    ["no devices", stored(null)],
    ["null", "null"],
  ])("measures again where the store holds %s", async (_, text) => {
    const [store, probe] = [storeOf(text), probeOf()];
    expect(await new TileChoices(store, probe).of(adapter("one"))).toEqual(["forward large"]);
    expect(probe).toHaveBeenCalledOnce();
    expect(store.text).toBe(stored({ [KEY]: ["forward large"] }));
  });

  it("measures nothing on a software adapter", async () => {
    const probe = probeOf();
    expect(await new TileChoices(null, probe).of(adapter("one", true))).toEqual([]);
    expect(probe).not.toHaveBeenCalled();
  });

  it("does without when the probe fails, for the session only", async () => {
    const store = storeOf(null);
    const probe = vi.fn().mockRejectedValue(new GpuError("shader_compile", "no"));
    const choices = new TileChoices(store, probe);
    expect(await choices.of(adapter("one"))).toEqual([]);
    expect(await choices.of(adapter("one"))).toEqual([]);
    expect(probe).toHaveBeenCalledOnce();
    expect(store.text).toBeNull();
  });

  it("does without when the probe takes too long", async () => {
    const store = storeOf(null);
    const probe = vi.fn(
      (_gpu: Gpu, _options?: { signal?: AbortSignal }) => new Promise<never>(() => undefined),
    );
    const choices = new TileChoices(store, probe, 1);
    expect(await choices.of(adapter("one"))).toEqual([]);
    expect(store.text).toBeNull();
    expect(probe.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });

  it("lives without a store that fails", async () => {
    const fails = async () => {
      throw new Error("no room");
    };
    const choices = new TileChoices({ read: fails, write: fails }, probeOf());
    expect(await choices.of(adapter("one"))).toEqual(["forward large"]);
  });
});
