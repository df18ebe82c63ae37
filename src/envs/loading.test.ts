import { expect, test, vi } from "vitest";
import { EnvError } from "../core/errors.ts";
import { envs, isLoaded, loadEnv, loadFailure } from "./index.ts";
import { lazily } from "./loading.ts";

test("a module is loaded once, and is there afterwards", async () => {
  const open = vi.fn(async () => ({ answer: 42 }));
  const module = lazily("Chess", open);
  expect(() => module.get()).toThrow(/^Chess has not been loaded/);
  await Promise.all([module.load(), module.load()]);
  await module.load();
  expect(open).toHaveBeenCalledTimes(1);
  expect(module.get().answer).toBe(42);
});

test("a failure is explained, and the next call tries again", async () => {
  const open = vi.fn(async () => 1).mockRejectedValueOnce(new Error("HTTP 404"));
  const module = lazily("Chess", open);
  const error = await module.load().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EnvError);
  expect(error).toMatchObject({
    code: "not_loaded",
    message: "Chess could not be loaded: HTTP 404.",
    hint: expect.stringContaining("try again"),
  });
  await module.load();
  expect(module.get()).toBe(1);
});

test("an environment says why it could not be loaded until it has been", async () => {
  const spec = envs.get("navigation") as { load(): Promise<void> };
  const load = vi.spyOn(spec, "load").mockRejectedValueOnce(new Error("HTTP 500"));
  expect([isLoaded("navigation"), loadFailure("navigation"), isLoaded("frozenlake")]).toEqual([
    false,
    "",
    true,
  ]);
  await expect(loadEnv("navigation")).rejects.toThrow("HTTP 500");
  expect([isLoaded("navigation"), loadFailure("navigation")]).toEqual([false, "HTTP 500"]);
  await loadEnv("navigation");
  expect([isLoaded("navigation"), loadFailure("navigation")]).toEqual([true, ""]);
  load.mockRestore();
});
