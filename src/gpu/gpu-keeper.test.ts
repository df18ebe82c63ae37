import { expect, it, vi } from "vitest";
import type { Gpu } from "./device.ts";
import { GpuKeeper } from "./gpu-keeper.ts";

const device = (of: { reusable?: boolean; settles?: boolean } = {}) => ({
  isReusable: () => of.reusable ?? true,
  settle: () => (of.settles === false ? Promise.reject(new Error("lost")) : Promise.resolve()),
  destroy: vi.fn(),
});

/** A keeper whose new devices are these, in order. */
function keeperOf(...devices: ReturnType<typeof device>[]) {
  const opened = vi.fn(async () => devices[opened.mock.calls.length - 1] as unknown as Gpu);
  return { keeper: new GpuKeeper(opened), opened };
}

it("opens the device again that was released last", async () => {
  const only = device();
  const { keeper, opened } = keeperOf(only);
  for (let run = 0; run < 3; run++) (await keeper.open(undefined)).release();
  expect(opened).toHaveBeenCalledOnce();
  expect(only.destroy).not.toHaveBeenCalled();
});

it("gives two runs at a time a device each, and keeps the one that is released last", async () => {
  const [a, b] = [device(), device()];
  const { keeper, opened } = keeperOf(a, b);
  const both = [await keeper.open(undefined), await keeper.open(undefined)];
  for (const gpu of both) gpu.release();
  expect(opened).toHaveBeenCalledTimes(2);
  expect([a.destroy.mock.calls.length, b.destroy.mock.calls.length]).toEqual([1, 0]);
});

it("gives a device to one run at a time, even if a run before releases it twice", async () => {
  const [a, b] = [device(), device()];
  const { keeper, opened } = keeperOf(a, b);
  const first = await keeper.open(undefined);
  first.release();
  await keeper.open(undefined);
  first.release();
  await keeper.open(undefined);
  expect(opened).toHaveBeenCalledTimes(2);
  expect(a.destroy).not.toHaveBeenCalled();
});

it("destroys the device that it keeps, and no other one", async () => {
  const [a, b] = [device(), device()];
  const { keeper } = keeperOf(a, b);
  keeper.close();
  const first = await keeper.open(undefined);
  keeper.close();
  expect(a.destroy).not.toHaveBeenCalled();
  first.release();
  keeper.close();
  expect(a.destroy).toHaveBeenCalledOnce();
  await keeper.open(undefined);
  expect(b.destroy).not.toHaveBeenCalled();
});

it.each([
  ["cannot serve another run", { reusable: false }],
  ["failed after its run had ended", { settles: false }],
])("destroys a device that %s, and opens a new one", async (_, of) => {
  const [bad, good] = [device(of), device()];
  const { keeper, opened } = keeperOf(bad, good);
  (await keeper.open(undefined)).release();
  await keeper.open(undefined);
  expect(bad.destroy).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenCalledTimes(2);
});
