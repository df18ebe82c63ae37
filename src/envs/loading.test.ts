import { expect, test, vi } from "vitest";
import { EnvError } from "../core/errors.ts";
import { envs, envTitle, isLoaded, loadEnv, loadFailure } from "./index.ts";
import { lazily, type ReportLoad } from "./loading.ts";
import { type EnvLoad, watchLoads } from "./registry.ts";

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

test("a failure that a module explains keeps its own remedy", async () => {
  const own = new EnvError("not_loaded", "Chess could not load its clock.", "Wind it up.");
  const module = lazily("Chess", () => Promise.reject(own));
  await expect(module.load()).rejects.toBe(own);
});

test("an environment says why it could not be loaded until it has been", async () => {
  const load = vi.fn(async () => undefined).mockRejectedValueOnce(new Error("HTTP 500"));
  const remove = envs.add({ ...envs.get("frozenlake"), id: "slow", load });
  expect([isLoaded("slow"), loadFailure("slow"), isLoaded("frozenlake")]).toEqual([false, "", true]);
  await expect(loadEnv("slow")).rejects.toThrow("HTTP 500");
  expect([isLoaded("slow"), loadFailure("slow")]).toEqual([false, "HTTP 500"]);
  await loadEnv("slow");
  expect([isLoaded("slow"), loadFailure("slow")]).toEqual([true, ""]);
  remove();
});

test("the loading of an environment can be followed", async () => {
  const world = lazily("Slow", async (report) => {
    report({ what: "physics", bytes: 3, of: 10 });
    if (seen.every(({ state }) => state !== "failed")) throw new Error("HTTP 500");
  });
  const load = vi.fn((report?: ReportLoad) => world.load(report));
  const remove = envs.add({ ...envs.get("frozenlake"), id: "followed", title: "Slow", load });
  const seen: EnvLoad[] = [];
  const end = watchLoads((id, state) => void (id === "followed" && seen.push(state)));
  await expect(loadEnv("followed")).rejects.toThrow();
  await Promise.all([loadEnv("followed"), loadEnv("followed")]);
  await loadEnv("followed");
  end();
  remove();
  const attempt = [
    { state: "loading", progress: { what: "Slow", bytes: 0, of: null } },
    { state: "loading", progress: { what: "physics", bytes: 3, of: 10 } },
  ];
  const failure = {
    state: "failed",
    problem: "Slow could not be loaded: HTTP 500.",
    remedy: "Check the connection and try again; reload the page if it persists.",
  };
  expect(seen).toEqual([...attempt, failure, ...attempt, { state: "ready" }]);
  expect(load).toHaveBeenCalledTimes(3);
});

test("an environment is called by its title, and one that is not registered by its id", () => {
  expect([envTitle("frozenlake"), envTitle("chess")]).toEqual([envs.get("frozenlake").title, "chess"]);
});
