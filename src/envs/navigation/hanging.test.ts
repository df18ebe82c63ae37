// Marks of claims about what hangs on a wall.
import { beforeAll, expect, it } from "vitest";
import { loadEnv } from "../index.ts";
import { spatialGym } from "../spatial-gym/index.ts";
import { navigation } from "./index.ts";

beforeAll(() => Promise.all(["navigation", "spatial-gym"].map((id) => loadEnv(id))));

/** Where a claim's mark hangs in the first view of an episode; undefined where its kind does not hang. */
function mark(spec: typeof navigation | typeof spatialGym, name: string, words: string) {
  const config = spec.config.parse({});
  const env = spec.create(config as never);
  env.reset(1);
  return spec.hungAt?.({ name, words }, env.groundTruth() as never, config as never);
}

it("hang higher than the floor, and only for kinds that hang", () => {
  for (const spec of [navigation, spatialGym]) {
    expect(mark(spec, "painting", "4 ahead 0 right")).toMatchObject({ width: expect.any(Number) });
    expect(mark(spec, "bed", "4 ahead 0 right")).toBeUndefined();
  }
});

it("read the kind of a target, and pass over which way a front faces", () => {
  expect(mark(navigation, "target", "painting 4 ahead 0 right")).toEqual(
    mark(navigation, "painting", "4 ahead 0 right"),
  );
  expect(mark(spatialGym, "painting", "4 ahead 0 right facing back")).toEqual(
    mark(spatialGym, "painting", "4 ahead 0 right"),
  );
});

it("are left out behind the agent", () => {
  expect(mark(navigation, "painting", "4 back 0 right")).toBeNull();
});
