// The check of the adapter that the studio trains on, with what a bug report must say about it.
import { type Gpu, openGpu, type PolledGpu } from "../gpu/device.ts";
import { type CheckOptions, checkDevice } from "./check-device.ts";
import type { CheckedDevice, CheckReport } from "./report.ts";

/** Limits that decide which kernels can run. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
] as const;

/**
 * Checks the adapter that `openGpu` chooses.
 * @param host the browser, or the version of Node
 * @throws GpuError if it gives no device.
 */
export async function checkAdapter(
  gpu: PolledGpu | undefined,
  host: string,
  options: Omit<CheckOptions, "open">,
): Promise<CheckReport> {
  let device: CheckedDevice | null = null;
  const open = async () => {
    const opened = await openGpu(gpu);
    device ??= await describe(gpu, opened, host);
    return opened;
  };
  const { results, skipped } = await checkDevice({ ...options, open });
  return { device: device!, results, skipped };
}

async function describe(gpu: GPU | undefined, { caps }: Gpu, host: string): Promise<CheckedDevice> {
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" });
  const limits = LIMITS.map((name) => [name, adapter?.limits[name] ?? 0] as const);
  const { vendor, architecture, description, software } = caps;
  return {
    vendor,
    architecture,
    description,
    software,
    features: [...(adapter?.features ?? [])].sort(),
    limits: Object.fromEntries(limits),
    host,
  };
}
