// Whether this browser can train; if not, why, and what helps.

import { platformClock } from "../core/clock.ts";
import { GpuError, serializeError } from "../core/errors.ts";
import { openGpu } from "../gpu/device.ts";
import { deviceInfo } from "../run/build-run.ts";
import type { GpuProbe } from "./protocol.ts";

/** What the probe reads of the global scope of a page or worker. */
interface ProbeScope {
  isSecureContext: boolean;
  gpu: GPU | undefined;
}

/** Waits between attempts: a crashed GPU process takes a moment to restart. */
const RETRY_MS = [250, 1000];

/** Opens a device and destroys it again; only that proves that training will get one. */
export async function probeGpu(
  { isSecureContext, gpu }: ProbeScope,
  open = openGpu,
  clock = platformClock,
): Promise<GpuProbe> {
  if (!isSecureContext)
    return cannot(
      "This page was not loaded over a secure connection, which WebGPU requires.",
      "Open it over https:// or from http://localhost.",
    );
  if (!gpu)
    return cannot(
      "This browser has no WebGPU.",
      "Use Chrome or Edge 113 or newer on a desktop, 121 or newer on Android, or a recent Safari or Firefox.",
    );
  for (const wait of RETRY_MS) {
    const probe = await attempt(gpu, open);
    if (probe.available) return probe;
    await clock.sleep(wait);
  }
  return attempt(gpu, open);
}

async function attempt(gpu: GPU, open: typeof openGpu): Promise<GpuProbe> {
  try {
    const opened = await open(gpu);
    opened.destroy();
    return { available: true, reason: "", hint: "", device: deviceInfo(opened) };
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): GpuProbe {
  if (error instanceof GpuError && error.code === "no_adapter")
    return cannot(
      "The browser supports WebGPU, but found no graphics device that it can use.",
      "Turn on hardware acceleration in the browser's settings, update the graphics driver, and see chrome://gpu for the reason.",
    );
  const { message, hint } = serializeError(error);
  return cannot(`The graphics device could not be opened: ${message}`, hint ?? "Restart the browser.");
}

function cannot(reason: string, hint: string): GpuProbe {
  return { available: false, reason, hint, device: null };
}
