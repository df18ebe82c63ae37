// The GPU of the command line. Loaded only when a command needs it: Dawn takes a moment.
import { GpuKeeper } from "../gpu/gpu-keeper.ts";

/** Keeps the device between the runs of a command, such as those of an ablation. `main` closes it when the command ends. */
export const gpus = new GpuKeeper();

export async function requestGpu(): Promise<GPU> {
  const { requestNodeGpu } = await import("../gpu/node-device.ts");
  return requestNodeGpu();
}
