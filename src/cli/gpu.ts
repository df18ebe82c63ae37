// The GPU of the command line. Loaded only when a command needs it: Dawn takes a moment.
import { GpuKeeper } from "../gpu/gpu-keeper.ts";

/** The device of one run after another, as those of an ablation. A command that has ended closes it. */
export const gpus = new GpuKeeper();

export async function requestGpu(): Promise<GPU> {
  const { requestNodeGpu } = await import("../gpu/node-device.ts");
  return requestNodeGpu();
}
