// WebGPU in Node through Dawn, for tests and the command line. The page never loads this module, and no other module
// imports "webgpu".

import { existsSync, readdirSync } from "node:fs";
import { constants, homedir } from "node:os";
import { join } from "node:path";
import { GpuError } from "../core/errors.ts";
import type { PolledGpu } from "./device.ts";
import { createEventLoopThrottle } from "./throttle.ts";

/** Browsers bring a software Vulkan driver (SwiftShader) and a Vulkan loader in their own folder. */
const browserFolders = [
  "/usr/lib/chromium",
  "/usr/lib/chromium-browser",
  "/usr/lib64/chromium",
  "/usr/lib64/chromium-browser",
  "/opt/google/chrome",
  "/opt/chromium.org/chromium",
  "/opt/microsoft/msedge",
];
const swiftShader = "vk_swiftshader_icd.json";
const vulkanLoader = "libvulkan.so.1";
const driverFolders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
const libraryFolders = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
];

// Test runners load this module once per test file; the process still gets one GPU.
const slot = Symbol.for("vagen.node-gpu");
const held = globalThis as typeof globalThis & { [slot]?: Promise<PolledGpu> };

/**
 * The `GPU` object of this process, with `GPUBufferUsage`, `GPUMapMode` and the other WebGPU globals in place.
 *
 * Uses the machine's graphics card when its Vulkan driver is installed, otherwise the software driver of an installed
 * browser. `VK_ICD_FILENAMES` chooses a Vulkan driver by hand; `VAGEN_DAWN_TOGGLES` passes options to Dawn, separated
 * by blanks (`enable-dawn-features=disable_robustness`).
 *
 * @throws GpuError `no_adapter` when the machine offers no adapter at all
 */
export function requestNodeGpu(): Promise<PolledGpu> {
  // Dawn aborts the process when this object is garbage-collected, and a bundler may inline a local variable away:
  // only a global keeps it for certain.
  held[slot] ??= createGpu();
  return held[slot];
}

async function createGpu(): Promise<PolledGpu> {
  if (process.platform === "linux") prepareVulkan();
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const chosen = process.env.VAGEN_DAWN_TOGGLES?.split(/\s+/).filter(Boolean) ?? [];
  const gpu = create([...driverToggles(), ...chosen]);
  if (await gpu.requestAdapter()) return Object.assign(gpu, { beginWait: createEventLoopThrottle() });
  throw new GpuError("no_adapter", "WebGPU found no adapter in Node", remedy());
}

function remedy(): string {
  if (process.platform !== "linux") return "Update the graphics driver of this machine.";
  return (
    "Install a Vulkan driver: for a graphics card its own, without one Chromium's software driver " +
    "(Debian: apt-get install chromium). VK_ICD_FILENAMES can name a driver's .json file."
  );
}

/**
 * Options that the driver needs. SwiftShader compiles an instruction for every float of workgroup memory that it clears, which takes
 * half of the time of the largest kernels; without the extension Dawn clears it with a loop.
 */
function driverToggles(): string[] {
  const driver = process.env.VK_DRIVER_FILES || process.env.VK_ICD_FILENAMES || "";
  if (!driver.includes("swiftshader")) return [];
  return ["disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension"];
}

/** Must run before Dawn is loaded: it reads the environment and opens the loader only once. */
function prepareVulkan(): void {
  const folder = findBrowserFolder();
  const isChosen = process.env.VK_ICD_FILENAMES || process.env.VK_DRIVER_FILES;
  if (folder && !isChosen && !hasHardwareDriver()) process.env.VK_ICD_FILENAMES = join(folder, swiftShader);
  if (folder && !hasSystemLoader()) preload(join(folder, vulkanLoader));
}

function findBrowserFolder(): string | undefined {
  return [...browserFolders, ...playwrightFolders()].find((folder) => existsSync(join(folder, swiftShader)));
}

/** Where `playwright-core install chromium` puts its browsers. */
function playwrightFolders(): string[] {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), ".cache", "ms-playwright");
  const browsers = list(cache).filter((name) => name.startsWith("chromium"));
  return browsers.flatMap((name) => list(join(cache, name)).map((inner) => join(cache, name, inner)));
}

/** A driver file alone says little (Mesa installs all of its own everywhere); the kernel must show a device too. */
function hasHardwareDriver(): boolean {
  const hasDevice =
    list("/dev/dri").some((name) => name.startsWith("renderD")) ||
    list("/dev").some((name) => /^(nvidia\d+|dxg)$/.test(name));
  const drivers = driverFolders.flatMap(list);
  return hasDevice && drivers.some((name) => !/lvp|lavapipe|swiftshader|mock/.test(name));
}

function hasSystemLoader(): boolean {
  const own = process.env.LD_LIBRARY_PATH?.split(":").filter(Boolean) ?? [];
  return [...own, ...libraryFolders].some((folder) => existsSync(join(folder, vulkanLoader)));
}

/**
 * Loads a shared library into the process, so that Dawn finds it when it opens the same name. Node expects a native
 * module and throws; RTLD_NODELETE keeps the library loaded all the same.
 */
function preload(library: string): void {
  const stayLoaded = 0x1000;
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | stayLoaded);
  } catch {
    // Expected. Had the library itself not loaded, there would be no adapter, and that is reported with its remedy.
  }
}

/** Names in a folder; none when it cannot be read. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
