import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { optionTitle } from "../../config/describe.ts";
import { ExtensionError } from "../../core/errors.ts";
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
  changeActive,
  dropIdle,
  restoreExtensions,
  useExtensions,
} from "./extension-store.ts";
import { useSession } from "./session-store.ts";

const term = (id: string) => ({
  name: id,
  source: `export default ({ rewardTerm }) => rewardTerm({ id: "${id}", score: () => 1 });`,
});
/** Registers these in the page alone. */
const register = (list: readonly ExtensionSource[], tryOne = tryHere) =>
  changeActive({ next: () => list, confirm: async () => undefined }, tryOne);
const clear = async () => {
  await register([]);
  useExtensions.setState({ idle: [] });
};
beforeEach(clear);
afterEach(clear);
const [a, b] = [term("alpha"), term("beta")];
/** As the page sends what it has registered. */
const checked = (own: ExtensionSource) => ({ ...own, checked: true });
/** As it keeps it. */
const kept = async (own: ExtensionSource) => ({
  ...own,
  members: (await tryHere(own)).members,
  triedBy: expect.any(String),
});

it("registers in page and worker, and the draft may name it from then on", async () => {
  const trainer = fakeTrainer();
  const session = await opened(() => trainer);
  loadDraft(
    { ...checkedRunConfig({}), reward: { ...checkedRunConfig({}).reward, weights: { alpha: 1 } } },
    null,
  );
  expect(useDraft.getState().problems.map(({ path }) => path)).toEqual(["reward.weights.alpha"]);
  await session.changeExtensions(() => [a]);
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
  await session.changeExtensions(() => [a]);
  await expect(
    session.changeExtensions(() => [a, { name: "bad", source: "export default 3" }]),
  ).rejects.toThrow("bad: it exports no function");
  const refusing = await opened(() =>
    fakeTrainer({
      setExtensions: ({ extensions }) => {
        if (extensions.length > 1) throw new Error("busy");
        return null;
      },
    }),
  );
  await expect(refusing.changeExtensions(() => [a, b])).rejects.toThrow("busy");
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
  dropIdle(broken);
  expect(useExtensions.getState().idle).toEqual([]);
});

it("continues a run with its own extensions, and puts aside one of the same name", async () => {
  const trainer = fakeTrainer();
  const session = await opened(() => trainer);
  const own = { ...a, source: `${a.source} // as I changed it since` };
  await session.changeExtensions(() => [own, b]);
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
  await session.changeExtensions(() => [b, mine]);
  const adopt = (own: ExtensionSource) =>
    session.adopt({ name: "Walk", extensions: [own] } as unknown as StoredRun);
  expect(await adopt(first)).toBe(true);
  expect(activeTexts()).toEqual([checked(b), checked(first)]);
  expect(activeHouses()).toEqual(first);
  expect(await adopt(second)).toBe(true);
  expect(useExtensions.getState().idle).toEqual([
    { ...mine, problem: "Inactive, because the run Walk uses its own houses." },
  ]);
  expect(useExtensions.getState().registered.at(-1)?.provides).toEqual(["houses 3"]);
});

it("keeps every text under a name of its own", async () => {
  const idle = (source: string, name = "alpha.mjs") => ({ name, source, problem: "as it was" });
  useExtensions.setState({ idle: [idle("first"), idle("second"), idle(a.source, "old")] });
  await register([{ ...a, name: "alpha.mjs" }]);
  const names = useExtensions.getState().idle.map(({ name, source }) => `${name}: ${source}`);
  expect(names).toEqual(["alpha (2).mjs: first", "alpha (3).mjs: second"]);
});

it("takes a change back that the browser has no room for", async () => {
  await register([a]);
  useExtensions.setState({ idle: [{ ...b, problem: "as it was" }] });
  const before = useExtensions.getState();
  // As storage does that is full: after the state of the page has changed.
  const unsubscribe = useExtensions.subscribe(({ active }) => {
    if (active.length === 2) throw new Error("the quota has been exceeded");
  });
  await expect(register([a, b])).rejects.toThrow("quota");
  unsubscribe();
  const { active, idle, registered } = useExtensions.getState();
  expect([active, idle, registered]).toEqual([before.active, before.idle, before.registered]);
  expect(rewardTerms.added.map(({ id }) => id)).toEqual(["alpha"]);
});

describe("changes that overlap", () => {
  /** Tries a text once `go` is called. */
  function slowly() {
    const waiting: (() => void)[] = [];
    const tryOne: typeof tryExtension = (own) =>
      new Promise((resolve, reject) => waiting.push(() => void tryHere(own).then(resolve, reject)));
    const go = () => vi.waitFor(() => (waiting.length > 0 ? waiting.shift()!() : expect.unreachable()));
    return { tryOne, go };
  }
  const names = () => useExtensions.getState().active.map(({ name }) => name);
  const added = (own: ExtensionSource) => (active: readonly ExtensionSource[]) => [...active, own];
  const bad = { name: "bad", source: "export default 3" };

  it("lose nothing, whichever ends or fails first", async () => {
    const { tryOne, go } = slowly();
    const session = createSession(() => fakeTrainer(), tryOne);
    await session.openSession();
    const change = (own: ExtensionSource) => session.changeExtensions(added(own));
    const all = Promise.allSettled([change(a), change(bad), change(b)]);
    for (let i = 0; i < 3; i++) await go();
    expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(names()).toEqual(["alpha", "beta"]);
  });

  it("lose nothing that is added while the stored ones are tried again", async () => {
    const { tryOne, go } = slowly();
    replaceExtensions([]);
    useExtensions.setState({ active: [a, bad], registered: [] });
    const restored = restoreExtensions(tryOne);
    const change = changeActive({ next: added(b), confirm: async () => undefined }, tryOne);
    expect(names()).toEqual(["alpha", "bad"]);
    for (let i = 0; i < 3; i++) await go();
    await Promise.all([restored, change]);
    expect(names()).toEqual(["alpha", "beta"]);
    expect(useExtensions.getState().idle.map(({ name }) => name)).toEqual(["bad"]);
  });
});

describe("the page runs no code of an extension", () => {
  const count = globalThis as { timesRead?: number };
  const example = readFileSync("docs/examples/environment.mjs", "utf8");
  const world: ExtensionSource = { name: "world", source: example };
  /** The same, in a text that nothing has read so far: Node reads a text once. */
  let texts = 0;
  const unread = () => ({ name: "world", source: `globalThis.timesRead++; ${example} // ${texts++}` });
  beforeEach(() => {
    count.timesRead = 0;
  });
  afterEach(() => void delete count.timesRead);
  /** A worker of its own: what this thread counts, it does not do. */
  const elsewhere = vi.fn<typeof tryExtension>((own) => tryHere(own.name === "world" ? world : own));
  /** Finds a check that fails. */
  const refuse = vi.fn<typeof tryExtension>(async (own) => ({
    ...(await elsewhere(own)),
    reports: [{ title: "World", lines: [{ check: "Levels begin", outcome: "failed" as const, found: "" }] }],
  }));
  /** A page that has just been loaded, with what another left in storage. */
  const loaded = async (active: readonly ExtensionSource[], tryOne: typeof tryExtension) => {
    replaceExtensions([]);
    useExtensions.setState({ active: JSON.parse(JSON.stringify(active)), registered: [] });
    await restoreExtensions(tryOne);
    return useExtensions.getState();
  };
  const triedBy = (version: string) =>
    useExtensions.getState().active.map((own) => ({ ...own, triedBy: version }));

  it("when one is added or removed, or the page is loaded again", async () => {
    elsewhere.mockClear();
    const session = createSession(() => fakeTrainer(), elsewhere);
    await session.openSession();
    const own = unread();
    for (const next of [[own], [own, a], [own, a, b], [a, own]]) await session.changeExtensions(() => next);
    expect(elsewhere.mock.calls.map(([{ name }]) => name)).toEqual(["world", "alpha", "beta"]);
    const { active } = useExtensions.getState();
    const back = await loaded(active, refuse);
    expect(back.active).toEqual(active);
    expect(back.registered).toEqual([
      { name: "alpha", provides: ["rewardTerm alpha"] },
      { name: "world", provides: ["environment key_door"] },
    ]);
    expect(count.timesRead).toBe(0);
    await loadModule(own);
    expect(count.timesRead).toBe(1);
  });

  it("but knows the members as well as the worker that runs them", async () => {
    const both = { name: "both", source: readFileSync("docs/examples/extension.mjs", "utf8") };
    await register([world, both]);
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
    await register([world, a]);
    const { config, create, recorded } = envs.get("key_door");
    expect(() => create(config.parse({})).reset(1)).toThrow("The code of world runs in workers only.");
    const truth = { rows: 2, cols: 2, player: [0, 0], entities: {}, facts: { state: "{}" } } as const;
    expect(() => recorded!.from(truth, config.parse({})).step("Up")).toThrow("in workers only");
    expect(() => rewardTerms.added[0]!.score({ index: 0 } as never)).toThrow("in workers only");
  });

  it("and asks a worker again after an update of the studio; what fails a new check is put aside", async () => {
    await register([world, a], elsewhere);
    for (const stored of [triedBy("index-of-yesterday.js"), [world, a]]) {
      elsewhere.mockClear();
      const { active, idle } = await loaded(stored, elsewhere);
      expect(elsewhere.mock.calls.map(([{ name }]) => name)).toEqual(["world", "alpha"]);
      expect([active.length, idle.length]).toEqual([2, 0]);
    }
    const { active, idle } = await loaded([world], refuse);
    expect(active).toEqual([]);
    expect(idle).toMatchObject([{ name: "world", problem: expect.stringContaining("1 of 1 check failed") }]);
  });

  it("keeps what an earlier version has tried where no worker starts, and tries it in the next visit", async () => {
    await register([world], elsewhere);
    const stored = triedBy("index-of-yesterday.js");
    const noWorker = () =>
      Promise.reject(new ExtensionError("unavailable", "world: its worker did not start."));
    const { active, idle, registered } = await loaded(stored, noWorker);
    expect([active, idle]).toEqual([stored, []]);
    expect(registered).toEqual([{ name: "world", provides: ["environment key_door"] }]);
    elsewhere.mockClear();
    await loaded(active, elsewhere);
    expect(elsewhere).toHaveBeenCalledTimes(1);
  });

  it("nor believes what comes with a text", async () => {
    const session = createSession(() => fakeTrainer(), refuse);
    await session.openSession();
    const { members } = await tryHere(world);
    const claiming = { ...world, checked: true as const, members };
    await expect(session.changeExtensions(() => [claiming])).rejects.toThrow("1 of 1 check failed");
    expect(refuse.mock.lastCall).toEqual([world]);
    expect(useExtensions.getState().active).toEqual([]);
  });
});

it("draws the level again after a change", async () => {
  const session = await opened(() => fakeTrainer());
  loadDraft(checkedRunConfig({}), null);
  const { draft } = useDraft.getState();
  await session.changeExtensions(() => [a]);
  const { draft: again } = useDraft.getState();
  expect(again).toEqual(draft);
  expect(again!.env).not.toBe(draft!.env);
});

it("says nothing about parameters that an own estimator may read, nor fails when it is gone", async () => {
  const source = `export default ({ estimator }) => estimator({ id: "mine", title: "Mine", estimate: () => null });`;
  await register([{ name: "mine", source }]);
  const config = checkedRunConfig({ algorithm: { adv_estimator: "mine" } });
  for (const path of ["algorithm.high_level_gamma", "algorithm.turn_value_anchor", "critic.lr"])
    expect(idleReason(path, config)).toBe("");
  expect(optionTitle("algorithm.adv_estimator", "mine")).toBe("Mine");
  await register([]);
  expect(idleReason("critic.lr", config)).toBe("");
  expect(optionTitle("algorithm.adv_estimator", "mine")).toBe("mine");
});

it("says what an own estimator says that it does not read", async () => {
  const source = `export default ({ estimator }) =>
    estimator({ id: "mine", usesGamma: false, usesLambda: false, valueTokens: "none", estimate: () => null });`;
  await register([{ name: "mine", source }]);
  const config = checkedRunConfig({ algorithm: { adv_estimator: "mine" } });
  for (const path of ["algorithm.gamma", "algorithm.lam"])
    expect(idleReason(path, config)).toContain("Used only by");
  expect(idleReason("algorithm.bootstrap_truncated", config)).toContain("no critic");
  expect(idleReason("algorithm.high_level_gamma", config)).toBe("");
  await register([]);
});
