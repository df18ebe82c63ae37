// The GPU of the command line. Loaded only when a command needs it: Dawn takes a moment.

export async function requestGpu(): Promise<GPU> {
  const { requestNodeGpu } = await import("../gpu/node-device.ts");
  return requestNodeGpu();
}
