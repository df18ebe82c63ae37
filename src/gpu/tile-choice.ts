// Which products run with the larger tile on a device: measured once, then kept for the session and, where there is a store, beyond.
import { type Gpu, type GpuCaps, inTime } from "./device.ts";
import { TILE_CLASSES, type TileClass } from "./linear-tiles.ts";
import { fasterWithLarge, probeTiles } from "./tile-probe.ts";

/** Where a choice outlives a session: one text. */
export interface TextStore {
  /** Null if nothing was written. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/** Raise it when a staged or large kernel of the linear layers changes: what was measured before then says nothing. */
export const KERNEL_VERSION = 1;

/** A probe compiles six kernels, which may take seconds. After this time the run does without. */
const PROBE_MS = 5000;

const keyOf = ({ vendor, architecture, description }: GpuCaps) =>
  [vendor, architecture, description].join(" / ");

/**
 * The choices of this session. Both tiles give the same bits, so a run does not depend on what is chosen, and may resume under
 * another choice.
 */
export class TileChoices {
  private readonly known = new Map<string, Promise<readonly TileClass[]>>();

  /** @param store null: choices last as long as this object. */
  constructor(
    private readonly store: TextStore | null,
    private readonly probe: typeof probeTiles = probeTiles,
    private readonly probeMs = PROBE_MS,
  ) {}

  /**
   * The classes that run with tiles of 128 × 64 on `gpu`, from memory, the store or a probe. None on software adapters, and where
   * the probe fails or takes too long; only a probe that measured all classes is stored. Never rejects.
   */
  of(gpu: Gpu): Promise<readonly TileClass[]> {
    if (gpu.caps.software) return Promise.resolve([]);
    const key = keyOf(gpu.caps);
    const known = this.known.get(key) ?? this.findOut(gpu, key).catch(() => []);
    this.known.set(key, known);
    return known;
  }

  private async findOut(gpu: Gpu, key: string): Promise<readonly TileClass[]> {
    const stored = storedChoices(await this.store?.read().catch(() => null));
    const found = stored.get(key);
    if (found) return found;
    const times = await this.measure(gpu);
    const choice = fasterWithLarge(times);
    // Classes are missing if the time ran out, or if the tiles of a product differ in a bit, which a driver update may
    // fix. Such a choice is kept for this session only, and the next one measures again.
    if (times.length < TILE_CLASSES.length) return choice;
    const devices = Object.fromEntries(stored.set(key, choice));
    await this.store?.write(JSON.stringify({ version: KERNEL_VERSION, devices })).catch(() => undefined);
    return choice;
  }

  private measure(gpu: Gpu): ReturnType<typeof probeTiles> {
    const late = new AbortController();
    const { signal } = late;
    return inTime(this.probe(gpu, { signal }), this.probeMs).finally(() => late.abort());
  }
}

/** Choices by device; none from a text of another version, and none that is not whole. */
function storedChoices(text: string | null | undefined): Map<string, readonly TileClass[]> {
  const { version, devices } = parsed(text);
  if (version !== KERNEL_VERSION) return new Map();
  const isChoice = (value: unknown) =>
    Array.isArray(value) && value.every((name) => TILE_CLASSES.includes(name));
  return new Map(Object.entries(devices ?? {}).filter(([, value]) => isChoice(value)));
}

interface Stored {
  version?: unknown;
  devices?: Record<string, readonly TileClass[]> | null;
}

function parsed(text: string | null | undefined): Stored {
  try {
    return (JSON.parse(text ?? "") ?? {}) as Stored;
  } catch {
    return {};
  }
}
