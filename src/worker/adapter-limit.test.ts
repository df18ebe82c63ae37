import { expect, it } from "vitest";
import { AdapterLimit } from "./adapter-limit.ts";

/** A browser whose n-th answer is an adapter with the n-th limit, or none. */
function browserWith(limits: (number | null)[]) {
  let asked = 0;
  const gpu = {
    async requestAdapter() {
      const limit = limits[asked++];
      const bounds = { maxBufferSize: 2 ** 40, maxStorageBufferBindingSize: limit };
      return limit == null ? null : ({ limits: bounds } as unknown as GPUAdapter);
    },
  };
  return { limit: new AdapterLimit(gpu), asked: () => asked };
}

it("asks for an adapter once, and again after a loss", async () => {
  const { limit, asked } = browserWith([100, 50]);
  expect([await limit.bytes(), await limit.bytes(), asked()]).toEqual([100, 100, 1]);
  limit.forget();
  expect([await limit.bytes(), asked()]).toEqual([50, 2]);
});

it("asks again where there was no adapter, which may come back", async () => {
  const { limit } = browserWith([null, 100]);
  expect([await limit.bytes(), await limit.bytes()]).toEqual([undefined, 100]);
  expect(await new AdapterLimit(undefined).bytes()).toBeUndefined();
});

it("does not keep the answer to a question from before a loss", async () => {
  const { limit, asked } = browserWith([100, 50]);
  const before = limit.bytes();
  limit.forget();
  expect([await before, await limit.bytes(), await limit.bytes(), asked()]).toEqual([100, 50, 50, 2]);
});
