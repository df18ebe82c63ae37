// What every environment promises, checked over the whole list. A new environment is tested by being listed.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { EnvError, type StudioError } from "../core/errors.ts";
import { type Rng, rng } from "../core/rng.ts";
import { boardOf, isBoard } from "../core/scene.ts";
import type { Frame, GroundTruth, WorldTruth } from "../core/types.ts";
import type { Env, EnvSpec } from "./env.ts";
import type { MapPlace } from "./floor-map.ts";
import { envs } from "./index.ts";
import type { Home } from "./navigation/home.ts";
import { cameraAlong, tangentOf } from "./navigation/pose.ts";
import { lookThrough } from "./navigation/view.ts";
import { config as primitiveSkillConfig } from "./primitive-skill/config.ts";
import { plus, times, turnedBy } from "./primitive-skill/geometry.ts";
import type { PrimitiveSkill } from "./primitive-skill/primitive-skill.ts";
import type { TaskId } from "./primitive-skill/task-ids.ts";
import { TASKS } from "./primitive-skill/tasks.ts";
import { cameraOf, project } from "./primitive-skill/view.ts";
import { config as spatialConfig } from "./spatial-gym/config.ts";
import { ALONG } from "./spatial-gym/heading.ts";
import { drawLevel } from "./spatial-gym/level.ts";
import { shownIn } from "./svg/claims.ts";
import { drawingText } from "./svg/drawing.ts";
import { drawIcon } from "./svg/icons.ts";
import { wordsOf } from "./worlds.ts";

const create = (spec: EnvSpec, overrides: object = {}) => spec.create(spec.config.parse(overrides));

function begin(spec: EnvSpec, seed: number): Env {
  const env = create(spec);
  env.reset(seed);
  return env;
}

/** The first seed from this one on whose level has a plan. */
function winnable(spec: EnvSpec, from: number): number {
  let seed = from;
  while (spec.hasChance?.(spec.config.parse({})) && begin(spec, seed).oracle() === null) seed++;
  return seed;
}

/** A picture as a short word: comparing megabytes of bytes one by one takes minutes. */
const digest = ({ width, height, data }: Frame) =>
  `${width}×${height} ${createHash("sha1").update(data).digest("hex")}`;

/** Side of a patch in large pictures, in pixels. Those of worlds take long to draw, and all above 128 pixels, here 136, are drawn in the same way. */
const LARGE = { board: 64, world: 17 };

function look(env: Env) {
  const truth = env.groundTruth();
  const large = isBoard(truth) ? LARGE.board : LARGE.world;
  return { truth, text: env.text(), small: digest(env.render(8)), large: digest(env.render(large)) };
}

/** Plays random actions and returns all that was seen. */
function playRandomly(spec: EnvSpec, seed: number): unknown[] {
  const env = begin(spec, seed);
  const choice = rng(seed).fork("test");
  const seen: unknown[] = [look(env)];
  for (let i = 0; i < 12; i++) {
    const result = env.step(choice.pick(spec.actions));
    seen.push(result, look(env));
    if (result.terminated) break;
  }
  return seen;
}

function errorOf(run: () => unknown): StudioError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return error as StudioError;
  }
  throw new Error("nothing was thrown");
}

beforeAll(async () => {
  for (const { load } of envs.all) await load?.();
  // Physics takes longer on a machine that does other work.
}, 120_000);

/** SpatialGym whose agent is shown a scripted exploration. */
const passive = {
  ...envs.get("spatial-gym"),
  config: spatialConfig.extend({
    exp_type: spatialConfig.shape.exp_type.default("passive").describe("Passive by default."),
  }),
} as EnvSpec;

const named = (specs: readonly EnvSpec[]) =>
  specs.map((spec) => [spec === passive ? `${spec.id}, passive` : spec.id, spec] as const);
const boards = envs.all.filter(({ isWorld }) => !isWorld);
const worlds = [...envs.all.filter(({ isWorld }) => isWorld), passive];

describe.each(named([...envs.all, passive]))("%s", (_, spec) => {
  it("plays the same episode for the same seed", () => {
    for (const seed of [42, 2 ** 40 + 3]) expect(playRandomly(spec, seed)).toEqual(playRandomly(spec, seed));
  });

  it("does not remember earlier episodes", () => {
    const env = begin(spec, 5);
    env.step(spec.actions[0]);
    env.reset(6);
    expect(look(env)).toEqual(look(begin(spec, 6)));
  });

  it("draws different levels for different seeds", () => {
    const texts = new Set(Array.from({ length: 50 }, (_, seed) => begin(spec, seed).text()));
    expect(texts.size).toBeGreaterThan(45);
  });

  it("has levels that its oracle solves, each with no more moves left after every step of the plan", () => {
    let lost = 0;
    // Physics and views take their time, and the tests of each world play more.
    const levels = spec.isWorld ? 16 : 50;
    for (let seed = 0; seed < levels; seed++) {
      const env = begin(spec, seed);
      const plan = env.oracle() ?? [];
      if (spec.hasChance?.(spec.config.parse({})) && plan.length === 0) {
        lost++;
        continue;
      }
      expect(plan.length).toBeGreaterThan(0);
      plan.forEach((action, i) => {
        const result = env.step(action);
        expect(result).toMatchObject({ effective: true, note: "" });
        expect(result.success).toBe(i === plan.length - 1);
        expect(result.terminated).toBe(result.success);
        expect(env.oracle()).toHaveLength(plan.length - 1 - i);
      });
    }
    expect(lost).toBeLessThan(levels / 2);
  });

  it("rewards success", () => {
    const rewardsWith = (success_reward: number) => {
      const env = create(spec, { success_reward });
      env.reset(winnable(spec, 3));
      return (env.oracle() ?? []).map((action) => env.step(action).reward);
    };
    const [without, rewards] = [rewardsWith(0), rewardsWith(7)];
    expect(rewards.pop()! - without.pop()!).toBe(7);
    expect(rewards).toEqual(without);
    // Only some worlds pay for stages on the way.
    if (!spec.isWorld) expect(rewards.every((reward) => reward === 0)).toBe(true);
  });

  it("refuses an unknown action, by name and with the known ones, and stays as it was", () => {
    const env = begin(spec, 1);
    const before = look(env);
    const misspelt = [spec.actions[0].toLowerCase(), ` ${spec.actions[0]}`];
    for (const action of ["Jump", "", ...misspelt.filter((name) => !spec.actions.includes(name))]) {
      const error = errorOf(() => env.step(action));
      expect(error.code).toBe("invalid_action");
      expect(error.message).toContain(`"${action}"`);
      expect(error.hint).toContain(spec.actions.join(", "));
    }
    expect(look(env)).toEqual(before);
  });

  it("asks for a reset before the first episode and after the end", () => {
    const env = create(spec);
    const calls = [
      () => env.step(spec.actions[0]),
      () => env.render(8),
      () => env.text(),
      () => env.groundTruth(),
      () => env.oracle(),
    ];
    for (const call of calls) expect(errorOf(call).code).toBe("reset_needed");
    env.reset(winnable(spec, 1));
    for (const action of env.oracle() ?? []) env.step(action);
    expect(env.oracle()).toEqual([]);
    expect(errorOf(() => env.step(spec.actions[0])).code).toBe("reset_needed");
    expect(() => look(env)).not.toThrow();
  });

  it("refuses a seed that is not a non-negative whole number, and odd tile sizes", () => {
    for (const seed of [-1, 0.5, Number.NaN]) expect(() => create(spec).reset(seed)).toThrow(/seed/);
    for (const patchPx of [0, -8, 8.5, 5000]) expect(() => begin(spec, 1).render(patchPx)).toThrow(/patchPx/);
  });

  it.each([1, 8, 12, 16, 64])("renders %i px per patch in the promised size, opaque", (patchPx) => {
    const { rows, cols } = spec.patches(spec.config.parse({}));
    const frame = begin(spec, 2).render(patchPx);
    expect([frame.width, frame.height]).toEqual([cols * patchPx, rows * patchPx]);
    expect(frame.data).toHaveLength(frame.width * frame.height * 4);
    expect(frame.data.filter((_, i) => i % 4 === 3).every((opacity) => opacity === 255)).toBe(true);
  });

  it("gives away frames that can be written on without harm to later ones", () => {
    const env = begin(spec, 2);
    const copy = structuredClone(env.render(8));
    env.render(8).data.fill(0);
    expect(env.render(8)).toEqual(copy);
  });

  it("hands out plain data", () => {
    const env = begin(spec, 4);
    const seen = {
      ...look(env),
      frame: env.render(8),
      plan: env.oracle(),
      result: env.step(spec.actions[0]),
    };
    expect(structuredClone(seen)).toEqual(seen);
  });

  it("does not change a truth that was handed out", () => {
    const env = begin(spec, 4);
    const truth = env.groundTruth();
    const copy = structuredClone(truth);
    for (const action of env.oracle() ?? []) env.step(action);
    expect(truth).toEqual(copy);
  });

  it("has presets that its configuration accepts, and a description of every field", () => {
    for (const preset of Object.values(spec.presets)) {
      const config = spec.config.parse(preset) as object;
      expect(config).toMatchObject(preset);
      expect(() => spec.create(config).reset(1)).not.toThrow();
    }
    const { shape } = spec.config as unknown as { shape: Record<string, { description?: string }> };
    for (const [name, field] of Object.entries(shape)) expect(field.description, name).toBeTruthy();
  });

  it("explains itself", () => {
    for (const words of [spec.title, spec.description]) expect(words.length).toBeGreaterThan(5);
  });

  it("reads its own actions, however they are set in spaces, and nothing else", () => {
    const { readAction } = spec;
    if (!readAction) return;
    for (const action of spec.actions) expect(readAction(` ${action} `)).toBe(action);
    for (const text of ["", "Jump", "Jump 1"]) expect(readAction(text)).toBeNull();
  });

  it("asks a question that stays the same, if it asks one, unless it is said to change", () => {
    const env = begin(spec, 3);
    const question = env.question?.();
    expect(question).not.toBe("");
    for (const action of env.oracle() ?? []) env.step(action);
    expect(env.question?.() !== question).toBe(spec.hasChangingQuestion ?? false);
  });

  it("offers tools that have names of their own and explain themselves", () => {
    const names = (create(spec).tools?.() ?? []).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const tool of begin(spec, 3).tools?.() ?? []) {
      expect(tool.description).not.toBe("");
      for (const [name, field] of Object.entries(tool.args.shape))
        expect((field as { description?: string }).description, name).toBeTruthy();
    }
  });
});

describe.each(named(boards))("the board of %s", (_, spec) => {
  it("changes ground truth and picture together", () => {
    for (let seed = 0; seed < 20; seed++) {
      const env = begin(spec, seed);
      const choice = rng(seed).fork("test");
      let before = look(env);
      for (let i = 0; i < 10; i++) {
        const result = env.step(choice.pick(spec.actions));
        const after = look(env);
        const changed = (key: keyof typeof before) =>
          JSON.stringify(before[key]) !== JSON.stringify(after[key]);
        for (const key of ["truth", "text", "small", "large"] as const)
          expect(changed(key)).toBe(result.effective);
        const lost = result.terminated && !result.success;
        expect(result.note !== "").toBe(!result.effective || lost);
        if (result.terminated) break;
        before = after;
      }
    }
  });

  it("names its claims among the entities, on the board", () => {
    const { rows, cols, entities, player } = boardOf(begin(spec, 9).groundTruth());
    for (const claim of spec.claims) expect(entities[claim]).toHaveLength(1);
    for (const [row, col] of [...(player ? [player] : []), ...Object.values(entities).flat()]) {
      expect(row >= 0 && row < rows && col >= 0 && col < cols).toBe(true);
    }
  });

  it("knows what lies beside the player, in kinds that it names, where its player moves on a board", () => {
    const { player } = boardOf(begin(spec, 9).groundTruth());
    expect(spec.surroundings !== undefined).toBe(player !== undefined);
    if (!spec.surroundings) return;
    const { kinds, at } = spec.surroundings;
    expect(new Set(kinds).size).toBe(kinds.length);
    const met = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const env = begin(spec, seed);
      for (const action of [null, ...(env.oracle() ?? [])]) {
        if (action !== null) env.step(action);
        const truth = env.groundTruth() as GroundTruth;
        for (const direction of ["Up", "Down", "Left", "Right"] as const) met.add(at(truth, direction));
      }
    }
    expect([...met].sort()).toEqual([...kinds].sort());
  });

  it("writes one line of text per row, one symbol per cell", () => {
    const { rows, cols } = spec.patches(spec.config.parse({}));
    const lines = begin(spec, 1).text().split("\n");
    expect(lines).toHaveLength(rows);
    for (const line of lines) expect(line.split(" ")).toHaveLength(cols);
  });
});

/** What was seen before and after each action of an episode, and whether it had an effect. */
function* stepsOf(env: Env, actions: readonly string[]) {
  let before = look(env);
  for (const action of actions) {
    const { effective, terminated } = env.step(action);
    const after = look(env);
    yield { before, after, effective };
    if (terminated) break;
    before = after;
  }
}

/** Those of random actions in some levels, and of the plans of others: random ones may never have an effect. */
function* someSteps(spec: EnvSpec) {
  for (let seed = 0; seed < 6; seed++) {
    const choice = rng(seed).fork("test");
    const actions = Array.from({ length: 10 }, () => choice.pick(spec.actions));
    yield* stepsOf(begin(spec, seed), actions);
  }
  for (let seed = 10; seed < 12; seed++) {
    const env = begin(spec, seed);
    yield* stepsOf(env, env.oracle() ?? []);
  }
}

/** The states of an episode that follows a plan. */
function truthsOf(env: Env): WorldTruth[] {
  const truths = [env.groundTruth()];
  for (const action of env.oracle() ?? []) {
    env.step(action);
    truths.push(env.groundTruth());
  }
  return truths as WorldTruth[];
}

describe.each(named(worlds))("the world of %s", (_, spec) => {
  it("changes the truth with every effective action, no text with any other, and no picture unless that shows more", () => {
    let showsMore = false;
    for (const { before, after, effective } of someSteps(spec)) {
      expect(JSON.stringify(after.truth) !== JSON.stringify(before.truth)).toBe(effective);
      if (effective) continue;
      expect(after.text).toBe(before.text);
      showsMore ||= JSON.stringify(after) !== JSON.stringify(before);
    }
    expect(showsMore).toBe(spec.showsMoreThanTruth ?? false);
  });

  it("shows the same pictures whenever a seed begins", () => {
    const env = create(spec);
    for (const seed of [0, 7, 2 ** 33]) {
      const [first, largest] = [look(begin(spec, seed)), digest(begin(spec, seed).render(64))];
      env.reset(seed);
      expect(look(env)).toEqual(first);
      expect(digest(env.render(64))).toBe(largest);
      env.step(spec.actions.at(-1)!);
      env.reset(seed);
      expect(look(env)).toEqual(first);
    }
  });

  it("checks a configuration and says whether it has tools before anything is loaded", () => {
    const config = spec.config.parse({});
    expect(() => spec.check?.(config)).not.toThrow();
    expect(spec.hasTools?.(config) ?? false).toBe((create(spec).tools?.() ?? []).length > 0);
  });

  it("has a map if its games lie on a floor, which shows every state and every place that is claimed", async () => {
    expect(spec.loadMap !== undefined).toBe(begin(spec, 0).floorPlan !== undefined);
    const [map, rules] = [await spec.loadMap?.(), wordsOf(spec.id)?.claimRules?.(spec.config.parse({}))];
    if (!map || !rules) return;
    for (const truth of [0, 1, 2].flatMap((seed) => truthsOf(begin(spec, seed)))) {
      const { marks, onMap, agent, caption } = map.show(truth);
      expect(caption).not.toBe("");
      for (const { right, ahead } of [...marks, agent]) expect(Math.hypot(right, ahead)).toBeLessThan(50);
      for (const { value, at } of rules.expected(truth, "observation")) {
        if (!at) continue;
        const [said, there] = [map.claimedPlace(truth, value)!, at].map(onMap) as [MapPlace, MapPlace];
        expect(Math.hypot(said.right - there.right, said.ahead - there.ahead)).toBeLessThan(0.5);
      }
    }
  });

  it("writes no text with more words than the one that it names as the longest", () => {
    const words = (text: string) => text.split(/\s+/).length;
    const longest = words(wordsOf(spec.id)?.longestText(spec.config.parse({})) ?? "");
    for (let seed = 0; seed < 30; seed++)
      expect(words(begin(spec, seed).text())).toBeLessThanOrEqual(longest);
  });

  it("asks no question with more words than the longest that it names", () => {
    const words = (text: string) => text.split(" ").length;
    const config = spec.config.parse({});
    const longest = Math.max(...(wordsOf(spec.id)?.questions(config) ?? []).map(words));
    for (let seed = 0; seed < 40; seed++) {
      const question = begin(spec, seed).question?.();
      if (question !== undefined) expect(words(question)).toBeLessThanOrEqual(longest);
    }
  });
});

/** What a state shows. */
interface Seen {
  /** All that can be seen. */
  state: unknown;
  /** Where the parts are that move smoothly, in pixels of the picture; absent where nothing does. */
  at?: readonly (readonly [x: number, y: number])[];
}

/** How a world is played to get different pictures, and what each state shows. */
interface Sights {
  /** The configuration; by default the usual one. */
  options?: object;
  seen(env: Env, seed: number): Seen;
  /** A random action; by default one that the specification lists. */
  act?(env: Env, random: Rng): string;
}

const factsOf = (env: Env) => env.groundTruth().facts as Record<string, string | number>;

/**
 * Where the hand, its fingers and everything that they move are in the picture; the truth has neither the hand nor parts of millimetres. Things at
 * rest drift by millionths of a pixel, so a state is known to a thousandth.
 */
function workspaceSeen(env: Env): Seen {
  const snapshot = (env as PrimitiveSkill).snapshot();
  const task = TASKS[factsOf(env).task as TaskId];
  const finger = plus(snapshot.hand, [0, snapshot.opening, 0]);
  // An apple looks the same however it is turned; a cube is also where the middle of one of its sides is.
  const sides = snapshot.objects
    .filter((_, i) => task.objects[i].endsWith("cube"))
    .map(({ position, rotation }) => plus(position, turnedBy(rotation, [0.02, 0, 0])));
  const places = [snapshot.hand, finger, ...sides, ...task.positions({ seen: snapshot, grasped: [] })];
  const { resolution, camera: kind } = primitiveSkillConfig.parse({});
  const camera = cameraOf(task.id, kind);
  const seen = places.map((place) => project(camera, resolution, times(place, 1000))!);
  const at = seen.map(({ x, y }) => [x, y] as const);
  return { state: at.flat().map((pixels) => Math.round(1000 * pixels)), at };
}

const SIGHTS: readonly (readonly [title: string, id: string, sights: Sights])[] = [
  [
    "navigation: home, place, heading and tilt",
    "navigation",
    {
      seen(env, seed) {
        const { x, z, yaw, horizon } = factsOf(env);
        return { state: [seed, x, z, yaw, horizon] };
      },
    },
  ],
  [
    "spatial-gym: room, place and heading of the latest look",
    "spatial-gym",
    {
      seen(env, seed) {
        const { look_x, look_z, look_yaw } = factsOf(env);
        return { state: [seed, look_x, look_z, look_yaw] };
      },
      act(env, random) {
        const jumps = String(factsOf(env).seen).split(" ").filter(Boolean);
        const moves = ["Rotate(90)", "Rotate(-45)", ...jumps.map((name) => `JumpTo(${name})`)];
        return random.pick([random.pick(moves), "Observe()"]);
      },
    },
  ],
  [
    "svg: the drawing, or the icon before there is one",
    "svg",
    {
      seen: (env) => ({ state: shownIn(env.groundTruth() as WorldTruth) }),
      act: (_, random) => drawingText(drawIcon(random, 3, 4)),
    },
  ],
  ["primitive-skill: hand and cubes", "primitive-skill", { seen: workspaceSeen }],
  [
    "primitive-skill: hand, apple and drawer",
    "primitive-skill",
    { options: { env_id: "PutAppleInDrawer" }, seen: workspaceSeen },
  ],
];

type Sight = Seen & { key: string; pictures: readonly string[] };

/** What each state of an episode shows, with its pictures in two sizes. In every fourth episode the oracle plays. */
function sightsOf(spec: EnvSpec, { options, seen, act }: Sights, seed: number): Sight[] {
  const env = create(spec, options);
  env.reset(seed);
  const random = rng(seed).fork("sights");
  const next = () => act?.(env, random) ?? random.pick(spec.actions);
  const plan = seed % 4 === 3 ? (env.oracle() ?? []) : null;
  const sight = (): Sight => {
    const shown = seen(env, seed);
    const pictures = [8, 16].map((patchPx) => digest(env.render(patchPx)));
    return { ...shown, key: JSON.stringify(shown.state), pictures };
  };
  const sights = [sight()];
  for (let i = 0; i < (plan?.length ?? 10); i++) {
    const { terminated } = env.step(plan?.[i] ?? next());
    sights.push(sight());
    if (terminated) break;
  }
  return sights;
}

/**
 * Whether two sights differ by enough to show. A part that moves by less than the distance of two samples of a pixel, of which there are three
 * along each side, may reach none of them; what does not move smoothly always shows. Nothing is exempt as hidden: whatever is hidden in one of two
 * states differs together with something that is not.
 */
const differs = (one: Sight, other: Sight): boolean =>
  one.key !== other.key &&
  (!one.at || one.at.some(([x, y], i) => Math.hypot(x - other.at![i]![0], y - other.at![i]![1]) > 1 / 3));

it("compares the pictures of every world", () => {
  const compared = new Set(SIGHTS.map(([, id]) => id));
  expect([...compared].sort()).toEqual(
    envs.all
      .filter(({ isWorld }) => isWorld)
      .map(({ id }) => id)
      .sort(),
  );
});

describe.each(SIGHTS)("the picture of %s", (_, id, sights) => {
  const spec = envs.get(id);
  // Physics takes its time.
  const seeds = Array.from({ length: id === "primitive-skill" ? 5 : 8 }, (_, seed) => seed);
  const again = id === "primitive-skill" ? [3, 1] : seeds.toReversed();

  it("is the same bytes for equal sights, whatever was drawn before, and other bytes for different ones", () => {
    const known = new Map<string, Sight>();
    for (const sight of seeds.flatMap((seed) => sightsOf(spec, sights, seed))) {
      expect(sight.pictures, sight.key).toEqual((known.get(sight.key) ?? sight).pictures);
      known.set(sight.key, sight);
    }
    for (const { key, pictures } of again.flatMap((seed) => sightsOf(spec, sights, seed)))
      expect(pictures, key).toEqual(known.get(key)?.pictures);
    const all = [...known.values()];
    let different = 0;
    for (const [i, one] of all.entries())
      for (const other of all.slice(0, i)) {
        if (!differs(one, other)) continue;
        different++;
        if (one.pictures.some((picture, size) => picture === other.pictures[size]))
          expect.fail(`${one.key} looks like ${other.key}`);
      }
    expect(different).toBeGreaterThan(100);
  });
});

describe("the picture of primitive-skill", () => {
  const spec = envs.get("primitive-skill");

  // It shows the hand and its fingers, of which the truth says nothing.
  it("changes no more when an action without effect is repeated", () => {
    let repeated = 0;
    for (const [seed, action] of spec.actions.entries()) {
      const [first, second] = stepsOf(begin(spec, seed), [action, action]);
      if (first?.effective || !second || second.effective) continue;
      expect(second.after.small, action).toBe(second.before.small);
      repeated++;
    }
    expect(repeated).toBeGreaterThan(1);
  });
});

describe("the picture of spatial-gym", () => {
  const spec = envs.get("spatial-gym");
  const config = spatialConfig.parse({});
  const tangent = tangentOf(config.fov);

  /** The view of a home from where an agent stands. */
  function viewOf(home: Home, env: Env): string {
    const { x, z, yaw } = env.groundTruth().facts as Record<"x" | "z" | "yaw", number>;
    const camera = cameraAlong({ x: 10 * x, z: 10 * z, tilt: 0 }, ALONG[yaw / 45]!, tangent);
    return digest(lookThrough(home, camera, config.resolution).frame);
  }

  it("is the view of where the agent looked last, and changes only with Observe()", () => {
    let changes = 0;
    for (let seed = 0; seed < 10; seed++) {
      const env = begin(spec, seed);
      const choice = rng(seed).fork("look");
      const { home } = drawLevel(seed, { ...config, tangent });
      let shown = viewOf(home, env);
      expect(digest(env.render(8))).toBe(shown);
      for (let i = 0; i < 12; i++) {
        const seen = String((env.groundTruth().facts as Record<string, unknown>).seen).split(" ");
        const moves = ["Rotate(90)", "Rotate(-45)", ...seen.filter(Boolean).map((name) => `JumpTo(${name})`)];
        const action = choice.pick([choice.pick(moves), "Observe()"]);
        const { effective } = env.step(action);
        const next = action === "Observe()" && effective ? viewOf(home, env) : shown;
        expect(digest(env.render(8)), `${seed} ${action}`).toBe(next);
        changes += Number(next !== shown);
        shown = next;
      }
    }
    expect(changes).toBeGreaterThan(20);
  });
});
