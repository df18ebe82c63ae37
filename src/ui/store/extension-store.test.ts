import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { optionTitle } from "../../config/describe.ts";
import { envs } from "../../envs/index.ts";
import { house } from "../../envs/navigation/procthor/sample-house.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { replaceExtensions } from "../../extension/index.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";
import { batchMetrics } from "../../rl/metric/index.ts";
import { rewardTerms } from "../../rl/reward/index.ts";
import { loadModule } from "../../run/snippet.ts";
import type { tryExtension } from "../../worker/extension-check-client.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { findMetric } from "../metrics/dictionary.ts";
import { createSession } from "../session/create-session.ts";
import { fieldsFor } from "../settings/fields.ts";
import { idleReason } from "../settings/idle.ts";
import { fakeTrainer, opened, tryHere } from "../testing/fake-trainer.ts";
import { editField, loadDraft, useDraft } from "./draft-store.ts";
import {
  activeHouses,
  activeTexts,
  dropIdle,
  putAside,
  registerInPage,
  restoreExtensions,
  useExtensions,
} from "./extension-store.ts";
import { useSession } from "./session-store.ts";

const term = (id: string) => ({
  name: id,
  source: `export default ({ rewardTerm }) => rewardTerm({ id: "${id}", score: () => 1 });`,
});
const clear = async () => {
  await registerInPage([]);
  useExtensions.setState({ idle: [] });
};
beforeEach(clear);
afterEach(clear);
const [a, b] = [term("alpha"), term("beta")];
/** As the page sends what it has registered. */
const checked = (own: ExtensionSource) => ({ ...own, checked: true });
/** As it keeps it. */
const kept = async (own: ExtensionSource) => ({ ...checked(own), members: (await tryHere(own)).members });

it("registers in page and worker, and the draft may name it from then on", async () => {
  const trainer = fakeTrainer();
  const session = await opened(() => trainer);
  loadDraft(
    { ...checkedRunConfig({}), reward: { ...checkedRunConfig({}).reward, weights: { alpha: 1 } } },
    null,
  );
  expect(useDraft.getState().problems.map(({ path }) => path)).toEqual(["reward.weights.alpha"]);
  await session.changeExtensions([a]);
  expect(useDraft.getState().problems).toEqual([]);
  expect(trainer.calls.at(-1)).toEqual({ command: "setExtensions", arg: { extensions: [checked(a)] } });
  expect(fieldsFor("frozenlake").map(({ path }) => path)).toContain("reward.weights.alpha");
  // The arrow back to the preset, which has no such weight.
  editField("reward.weights.alpha", undefined);
  expect(useDraft.getState()).toMatchObject({ problems: [], draft: { reward: { weights: {} } } });
  expect(findMetric("reward/alpha")).toMatchObject({ title: "alpha", group: "Extensions" });
  // The next worker gets the extensions before any other command.
  const next = fakeTrainer();
  await opened(() => next);
  expect(next.calls[0]).toEqual({ command: "setExtensions", arg: { extensions: [checked(a)] } });
});

it("stays as it was when the text, or the worker, refuses", async () => {
  const session = await opened(() => fakeTrainer());
  await session.changeExtensions([a]);
  await expect(session.changeExtensions([a, { name: "bad", source: "export default 3" }])).rejects.toThrow(
    "bad: it exports no function",
  );
  const refusing = await opened(() =>
    fakeTrainer({
      setExtensions: ({ extensions }) => {
        if (extensions.length > 1) throw new Error("busy");
        return null;
      },
    }),
  );
  await expect(refusing.changeExtensions([a, b])).rejects.toThrow("busy");
  expect(useExtensions.getState().active).toEqual([await kept(a)]);
  expect(rewardTerms.added.map(({ id }) => id)).toEqual(["alpha"]);
});

it("comes back after a reload, without a text that fails by now", async () => {
  const broken = { name: "broken", source: "export default (" };
  // As storage holds it: nothing is registered in a page that has just been loaded.
  useExtensions.setState({ active: [a, broken, b], registered: [] });
  await restoreExtensions(tryHere);
  const { active, idle } = useExtensions.getState();
  expect(active).toEqual([await kept(a), await kept(b)]);
  expect(idle).toEqual([{ ...broken, problem: expect.stringContaining("cannot be read as a module") }]);
  putAside(broken, "again");
  expect(useExtensions.getState().idle.map(({ name }) => name)).toEqual(["broken", "broken (2)"]);
  dropIdle("broken");
  expect(useExtensions.getState().idle.map(({ name }) => name)).toEqual(["broken (2)"]);
});

it("continues a run with its own extensions, and puts aside one of the same name", async () => {
  const trainer = fakeTrainer();
  const session = await opened(() => trainer);
  const own = { ...a, source: `${a.source} // as I changed it since` };
  await session.changeExtensions([own, b]);
  const config = checkedRunConfig({});
  const run: StoredRun = {
    runId: "r",
    name: "Lake",
    update: 1,
    totalUpdates: 2,
    savedAt: 0,
    config,
    elsewhere: false,
    recordingKept: false,
    events: [],
    extensions: [a],
  };
  await session.resumeStored(run);
  expect(activeTexts()).toEqual([checked(b), checked(a)]);
  expect(useExtensions.getState().idle).toMatchObject([{ name: "alpha (2)", source: own.source }]);
  const commands = trainer.calls.map(({ command }) => command);
  expect(commands.lastIndexOf("setExtensions")).toBeLessThan(commands.indexOf("resumeStored"));
  expect(useSession.getState().refused).toBeNull();
});

it("continues a run in its own houses, and keeps the page's once", async () => {
  const houses = (count: number, name = "houses.jsonl") => ({
    name,
    source: `${JSON.stringify(house())}\n`.repeat(count),
  });
  const [mine, first, second] = [houses(1, "mine.jsonl"), houses(2), houses(3)];
  const session = await opened(() => fakeTrainer());
  await session.changeExtensions([b, mine]);
  const adopt = (own: ExtensionSource) =>
    session.adopt({ name: "Walk", extensions: [own] } as unknown as StoredRun);
  expect(await adopt(first)).toBe(true);
  expect(activeTexts()).toEqual([checked(b), checked(first)]);
  expect(activeHouses()).toEqual(checked(first));
  expect(await adopt(second)).toBe(true);
  expect(useExtensions.getState().idle).toEqual([
    { ...mine, problem: "Inactive, because the run Walk uses its own houses." },
  ]);
  expect(useExtensions.getState().registered.at(-1)?.provides).toEqual(["houses 3"]);
});

describe("the page runs no code of an extension", () => {
  const count = globalThis as { timesRead?: number; levelsBegun?: number };
  const world: ExtensionSource = {
    name: "world",
    source: `globalThis.timesRead++; ${readFileSync("docs/examples/environment.mjs", "utf8").replace(
      "start(random) {",
      "start(random) { globalThis.levelsBegun++;",
    )}`,
  };
  const nothing = () => {
    count.timesRead = 0;
    count.levelsBegun = 0;
  };
  beforeEach(nothing);
  afterEach(() => {
    delete count.timesRead;
    delete count.levelsBegun;
  });
  /** Finds a broken promise. */
  const refuse = vi.fn<typeof tryExtension>(async (own) => ({
    ...(await tryHere(own)),
    reports: [{ title: "World", lines: [{ promise: "Levels begin", ok: false, found: "" }] }],
  }));
  /** A page that has just been loaded, with what another left in storage. */
  const loaded = async (active: ExtensionSource[], triedBy: string, tryOne: typeof tryExtension) => {
    replaceExtensions([]);
    useExtensions.setState({ active, triedBy, registered: [] });
    await restoreExtensions(tryOne);
    return useExtensions.getState();
  };

  it("when one is added or removed, or the page is loaded again", async () => {
    const tryOne = vi.fn(tryHere);
    const session = createSession(() => fakeTrainer(), tryOne);
    await session.openSession();
    for (const next of [[world], [world, a], [world, a, b], [a, world]]) await session.changeExtensions(next);
    expect(tryOne.mock.calls.map(([{ name }]) => name)).toEqual(["world", "alpha", "beta"]);
    // Only when it was tried, which a worker does.
    expect(count.timesRead).toBe(1);
    nothing();
    const { active, triedBy } = useExtensions.getState();
    const stored = JSON.parse(JSON.stringify(active));
    const back = await loaded(stored, triedBy, refuse);
    expect(back.active).toEqual(active);
    expect(back.registered).toEqual([
      { name: "alpha", provides: ["rewardTerm alpha"] },
      { name: "world", provides: ["environment key_door"] },
    ]);
    expect(count).toMatchObject({ timesRead: 0, levelsBegun: 0 });
  });

  it("but knows the members as well as the worker that runs them", async () => {
    const both = { name: "both", source: readFileSync("docs/examples/extension.mjs", "utf8") };
    await registerInPage([world, both], tryHere);
    const here = registeredMembers();
    replaceExtensions([await loadModule(world), await loadModule(both)]);
    expect(here).toEqual(registeredMembers());
    expect(here.actions.length).toBeGreaterThan(0);
  });

  /** What the form and the charts show of what is registered. */
  const registeredMembers = () => {
    const data = (list: readonly object[]) => JSON.parse(JSON.stringify(list));
    const spec = envs.get("key_door");
    return {
      ...{ actions: spec.actions, claims: spec.claims, patches: spec.patches(spec.config.parse({})) },
      ...{ title: spec.title, description: spec.description },
      ...{ terms: data(rewardTerms.added), estimators: data(estimators.added), filters: data(filters.added) },
      metrics: data(batchMetrics.added),
    };
  };

  it("and says so where something calls it after all", async () => {
    await registerInPage([world, a], tryHere);
    const { config, create, recorded } = envs.get("key_door");
    expect(() => create(config.parse({})).reset(1)).toThrow("The code of world runs in workers only.");
    const truth = { rows: 2, cols: 2, player: [0, 0], entities: {}, facts: { state: "{}" } } as const;
    expect(() => recorded!.from(truth, config.parse({})).step("Up")).toThrow("in workers only");
    expect(() => rewardTerms.added[0]!.score({ index: 0 } as never)).toThrow("in workers only");
  });

  it("and asks a worker again after an update of the studio; what breaks a new promise is put aside", async () => {
    for (const triedBy of ["index-of-yesterday.js", ""]) {
      const tryOne = vi.fn(tryHere);
      const { active, idle } = await loaded([world, a], triedBy, tryOne);
      expect(tryOne.mock.calls.map(([{ name }]) => name)).toEqual(["world", "alpha"]);
      expect([active.length, idle.length]).toEqual([2, 0]);
    }
    const { active, idle } = await loaded([world], "index-of-yesterday.js", refuse);
    expect(active).toEqual([]);
    expect(idle).toMatchObject([
      { name: "world", problem: expect.stringContaining("does not keep 1 promise") },
    ]);
  });

  it("nor believes what comes with a text", async () => {
    const session = createSession(() => fakeTrainer(), refuse);
    await session.openSession();
    const { members } = await tryHere(world);
    const claiming = { ...world, checked: true as const, members };
    await expect(session.changeExtensions([claiming])).rejects.toThrow("does not keep");
    expect(refuse.mock.lastCall).toEqual([world]);
    expect(useExtensions.getState().active).toEqual([]);
  });
});

it("draws the level again after a change", async () => {
  const session = await opened(() => fakeTrainer());
  loadDraft(checkedRunConfig({}), null);
  const { draft } = useDraft.getState();
  await session.changeExtensions([a]);
  const { draft: again } = useDraft.getState();
  expect(again).toEqual(draft);
  expect(again!.env).not.toBe(draft!.env);
});

it("says nothing about parameters that an own estimator may read, nor fails when it is gone", async () => {
  const source = `export default ({ estimator }) => estimator({ id: "mine", title: "Mine", estimate: () => null });`;
  await registerInPage([{ name: "mine", source }], tryHere);
  const config = checkedRunConfig({ algorithm: { adv_estimator: "mine" } });
  for (const path of ["algorithm.high_level_gamma", "algorithm.turn_value_anchor", "critic.lr"])
    expect(idleReason(path, config)).toBe("");
  expect(optionTitle("algorithm.adv_estimator", "mine")).toBe("Mine");
  await registerInPage([]);
  expect(idleReason("critic.lr", config)).toBe("");
  expect(optionTitle("algorithm.adv_estimator", "mine")).toBe("mine");
});

it("says what an own estimator says that it does not read", async () => {
  const source = `export default ({ estimator }) =>
    estimator({ id: "mine", usesGamma: false, usesLambda: false, valueTokens: "none", estimate: () => null });`;
  await registerInPage([{ name: "mine", source }], tryHere);
  const config = checkedRunConfig({ algorithm: { adv_estimator: "mine" } });
  for (const path of ["algorithm.gamma", "algorithm.lam"])
    expect(idleReason(path, config)).toContain("Only for");
  expect(idleReason("algorithm.bootstrap_truncated", config)).toContain("no critic");
  expect(idleReason("algorithm.high_level_gamma", config)).toBe("");
  await registerInPage([]);
});
