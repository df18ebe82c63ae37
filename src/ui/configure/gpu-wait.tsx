// Why the check of the GPU takes long, once it does.
import { useLate } from "../components/use-late.ts";

/** Most graphics cards have answered by then, in milliseconds. */
export const GPU_PATIENCE_MS = 2000;

export const GPU_WAIT =
  "The browser is still starting its GPU process and opening the device. Without a graphics card this takes several seconds.";

/** To be on the page only while the GPU is being checked. */
export function GpuWait() {
  const late = useLate(GPU_PATIENCE_MS);
  // The live region is there before its text, so that the text is announced.
  return (
    <p role="status" className="text-caption text-muted empty:hidden">
      {late && GPU_WAIT}
    </p>
  );
}
