// Drawings as pixels: resvg, which gives the same bytes in every browser and in Node. System fonts are off, and nothing is fetched.
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { bytes } from "@resvg/resvg-wasm/index_bg.wasm?bytes";
import type { Frame } from "../../core/types.ts";
import { type SafeDrawing, svgText } from "./sanitise.ts";

let loading: Promise<void> | null = null;

/** Loads the renderer once; a call after one that failed tries again. */
export function loadRaster(
  open: () => Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> = bytes,
): Promise<void> {
  loading ??= open()
    .then((wasm) => initWasm(wasm))
    .catch((error: unknown) => {
      if (isInitialized(error)) return;
      loading = null;
      throw error;
    });
  return loading;
}

/** The library is ready already if this module is evaluated again, as a development server does after a change. */
const isInitialized = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Already initialized");

/**
 * The picture of a drawing on white, `side` pixels wide and high.
 * @param count shapes to paint, from the first; default all.
 */
export function rasterise(drawing: SafeDrawing, side: number, count?: number): Frame {
  const renderer = new Resvg(svgText(drawing, side, count), {
    font: { loadSystemFonts: false },
    background: "white",
    fitTo: { mode: "width", value: side },
  });
  const image = renderer.render();
  const data = Uint8ClampedArray.from(image.pixels);
  image.free();
  renderer.free();
  return { width: side, height: side, data };
}
