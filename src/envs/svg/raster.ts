// Drawings as pixels: resvg, which gives the same bytes in every browser and in Node. System fonts are off, and nothing is fetched.
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { bytes, size } from "@resvg/resvg-wasm/index_bg.wasm?bytes";
import type { Frame } from "../../core/types.ts";
import { type ReportLoad, startWasm } from "../loading.ts";
import { type SafeDrawing, svgText } from "./sanitise.ts";

let loading: Promise<void> | null = null;

/** Loads the renderer once; a call after one that failed tries again. See `loadRenderer`. */
export function loadRaster(report: ReportLoad = () => undefined): Promise<void> {
  const onBytes = (arrived: number) => report({ what: "renderer (resvg)", bytes: arrived, of: size });
  loading ??= loadRenderer(() => {
    onBytes(0);
    return bytes(onBytes);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

const RENDERER = { title: "SVG reconstruction", part: "renderer, resvg", file: "resvg's index_bg.wasm" };

/** @param wasm fetches the WebAssembly. @throws EnvError("not_loaded") */
export const loadRenderer = (wasm: typeof bytes): Promise<void> =>
  startWasm(RENDERER, async () => {
    const input = await wasm();
    await initWasm(input).catch((error: unknown) => {
      if (!isInitialized(error)) throw error;
    });
  });

/** The library is ready already if this module is evaluated again, as a development server does after a change. */
const isInitialized = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Already initialized");

/** The picture of a drawing on white, `side` pixels wide and high. */
export function rasterise(drawing: SafeDrawing, side: number): Frame {
  const renderer = new Resvg(svgText(drawing, side), {
    font: { loadSystemFonts: false },
    background: "white",
    fitTo: { mode: "width", value: side },
  });
  const image = renderer.render();
  const data = new Uint8ClampedArray(image.pixels);
  image.free();
  renderer.free();
  return { width: side, height: side, data };
}
