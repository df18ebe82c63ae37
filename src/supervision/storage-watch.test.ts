import { expect, test } from "vitest";
import type { TrainerEvent } from "../training/events.ts";
import { lowStorage, watchStorage } from "./storage-watch.ts";

const saved = (update: number): TrainerEvent => ({ type: "checkpoint", update, bytes: 1, name: "c" });

test("little room is a warning with what to do", () => {
  expect(lowStorage({ quota: 1e9, usage: 860e6 }, 7)).toMatchObject({
    update: 7,
    code: "storage_low",
    message: expect.stringContaining("Only 140 MB of storage are left"),
    hint: expect.stringContaining("Discard stored runs"),
  });
  expect(lowStorage({ quota: 1e9, usage: 1.1e9 }, 7)).toMatchObject({
    message: expect.stringContaining("0 MB"),
  });
  expect(lowStorage({ quota: 1e9, usage: 1e6 }, 7)).toBeNull();
  expect(lowStorage({}, 7)).toBeNull();
});

test("it is looked at whenever the run is saved, and told once", async () => {
  let usage = 1e6;
  const told: number[] = [];
  const watch = watchStorage(
    async () => ({ quota: 1e9, usage }),
    ({ update }) => told.push(update),
  );
  await watch(saved(1));
  usage = 900e6;
  await watch({ type: "warning", update: 2, code: "x", message: "" });
  await watch(saved(3));
  await watch(saved(4));
  expect(told).toEqual([3]);
});

test("a browser that cannot tell is not warned about", async () => {
  const watch = watchStorage(
    () => Promise.reject(new Error("no")),
    () => expect.unreachable(),
  );
  await watch(saved(1));
});
