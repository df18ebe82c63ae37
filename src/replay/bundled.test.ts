// The replays that ship with the studio: each is played again, and each sentence about them is held against them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { recordings } from "../cli/record/recordings.ts";
import { separateSequences } from "../config/batch-size.ts";
import { applyChanges, diffConfigs } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { entryConfig } from "../config/entries.ts";
import { methods } from "../config/methods.ts";
import { getPreset, presets } from "../config/presets.ts";
import { withNewNames } from "../config/renamed.ts";
import type { RunConfig } from "../config/run-config.ts";
import { seedsOf } from "../config/seeds.ts";
import type { SceneTruth, Trajectory } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { lostTurn } from "../envs/lost.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { estimators } from "../rl/advantage/index.ts";
import { buildTask } from "../run/task.ts";
import { advantageOptions } from "../training/hyperparameters.ts";
import { caseStudies } from "./case-studies.ts";
import { decodeReplay, encodeReplay } from "./codec.ts";
import { METHOD_REPLAYS } from "./method-replays.ts";

for (const id of ["visual-math", "navigation", "primitive-skill", "svg", "spatial-gym", "blackjack"])
  await loadEnv(id);

/** An episode without the kinds of verdicts, and the fact, that its recording lacks: it may be older than they are. */
const withWhatIsKnown = (again: Trajectory, recorded: Trajectory): Trajectory => ({
  ...again,
  turns: again.turns.map((turn, i) => ({
    ...turn,
    before: withKnownFacts(turn.before, recorded.turns[i]!.before),
    after: withKnownFacts(turn.after, recorded.turns[i]!.after),
    verdicts: Object.fromEntries(
      Object.entries(turn.verdicts).filter(
        ([claim]) => claim !== "surroundings" || claim in recorded.turns[i]!.verdicts,
      ),
    ),
  })),
});

/** Navigation's visible objects beyond those that a state lists became a fact after these episodes were recorded. */
function withKnownFacts<T extends SceneTruth>(again: T, recorded: SceneTruth): T {
  const { further: _, ...facts } = again.facts ?? {};
  return again.facts?.further === undefined || recorded.facts?.further !== undefined
    ? again
    : { ...again, facts };
}

const folder = join(import.meta.dirname, "../../public/replays");
const files = readdirSync(folder).sort();
const json = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
const replays = new Map(files.map((file) => [file.replace(".json", ""), decodeReplay(json(file))]));
const limitsOf = ({ rollout }: RunConfig) => ({ maxTurns: rollout.max_turns });
const lostIn = (id: string) => {
  const { trajectory, config } = replays.get(id)!;
  const played = entryConfig(config, trajectory.entry);
  return lostTurn(trajectory, played.env.config, limitsOf(played));
};

describe("the case studies", () => {
  const shown = [...caseStudies.flatMap(({ replays: of }) => of.map(({ id }) => id)), ...METHOD_REPLAYS];

  test("have ids of their own", () => {
    expect(new Set(caseStudies.map(({ id }) => id)).size).toBe(caseStudies.length);
  });

  test("show every file, and every file is recorded", () => {
    expect([...new Set(shown)].sort()).toEqual([...replays.keys()]);
    expect(recordings.map(({ id }) => id).sort()).toEqual([...replays.keys()]);
  });

  test("have at least four for every environment", () => {
    for (const env of envs.ids)
      expect(caseStudies.filter((study) => study.env === env).length).toBeGreaterThan(3);
  });

  test("name presets that exist, and pair replays of one level", () => {
    for (const { env, preset, replays: of } of caseStudies) {
      expect(presets.ids).toContain(preset);
      const levels = of.map(({ id }) => replays.get(id)!.trajectory);
      for (const { envId, seed } of levels) expect([envId, seed]).toEqual([env, levels[0]!.seed]);
    }
  });

  test("are under 440 KB together when they travel", () => {
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    expect(bytes).toBeLessThan(440_000);
  });
});

/** The episode that the environment gives for the recorded replies, with the run's own judge and rewards. */
async function playedAgain({ trajectory, config }: { trajectory: Trajectory; config: RunConfig }) {
  const { entry, seed, tokens } = trajectory;
  const { ids, responseMask, turnIndex } = tokens;
  const replies = trajectory.turns.map(({ index }) =>
    ids.filter((_, t) => responseMask[t] && turnIndex[t] === index),
  );
  const [again] = await play({
    task: buildTask(config),
    policy: scriptedPolicy((_, { turn }) => replies[turn]!),
    episodes: validationEpisodes([seed]).map((episode) => ({
      ...episode,
      ...(entry !== undefined && { entry }),
    })),
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: config.rollout.response_length, seed: 0 },
  });
  return again!;
}

describe.each([...replays])("%s", (id, replay) => {
  const { trajectory, config, provenance } = replay;

  test("is the same episode when it is played again", async () => {
    const again = await playedAgain(replay);
    const { turns, tokens, ...rest } = trajectory;
    const file = (of: Trajectory) =>
      JSON.parse(JSON.stringify(encodeReplay({ ...replay, trajectory: of }))).trajectory;
    const { versions: _, ...playedTokens } = again.tokens;
    expect(file(withWhatIsKnown({ ...again, tokens: playedTokens }, trajectory)).turns).toEqual(
      file(trajectory).turns,
    );
    for (const name of [
      "sequences",
      "ids",
      "responseMask",
      "turnEndMask",
      "turnIndex",
      "imagePatch",
    ] as const)
      expect(playedTokens[name], name).toEqual(tokens[name]);
    const errors = Array.from(tokens.rewards, (x, t) => Math.abs(x - playedTokens.rewards[t]!));
    expect(Math.max(...errors)).toBeLessThan(1e-4);
    expect({ ...again, turns: [], tokens: null }).toEqual({ ...rest, turns: [], tokens: null });
    expect(turns.every(({ observation }) => observation.images.length === 0)).toBe(true);
  });

  test("has advantages that the functions on the CPU compute again", () => {
    const { tokens } = trajectory;
    const { length } = tokens.ids;
    // Without masks every token but the first, which nothing predicts.
    const gaeMask = config.rollout.use_gae_mask ? tokens.responseMask : tokens.lossMask!;
    const separate = separateSequences(config) ? (tokens.sequences ?? []) : [];
    const { turnLam, ...options } = advantageOptions(config);
    const { advantages } = estimators.get(config.algorithm.adv_estimator).estimate(
      {
        starts: separate.length ? [...separate.map(({ from }) => from), length] : [0, length],
        rewards: tokens.trainRewards ?? tokens.rewards,
        values: tokens.values,
        gaeMask,
        turnEndMask: tokens.turnEndMask,
      },
      { ...options, lambda: options.lam, turnLambda: turnLam },
    );
    const errors = Array.from(advantages, (a, t) => Math.abs(gaeMask[t] ? a - tokens.advantages[t]! : 0));
    expect(Math.max(...errors)).toBeLessThan(1e-3);
    expect(tokens.advantages.some((a) => a !== 0)).toBe(true);
    expect(tokens.entropy.some((h) => h > 0)).toBe(true);
  });

  test("says where it comes from", () => {
    expect(replay.id).toBe(id);
    // A recording may be older than some settings, whose defaults keep what it shows.
    expect(checkedRunConfig(config)).toMatchObject(withNewNames(config) as object);
    const recording = recordings.find((one) => one.id === id)!;
    expect(provenance.command).toContain(`--checkpoint ${recording.policy} --seed ${recording.seed}`);
    expect(provenance.temperature).toBe(recording.temperature);
    expect(trajectory.seed).toBe(recording.seed);
    expect(provenance.commit).toMatch(/^[0-9a-f]{12}$/);
    const { val_seeds } = entryConfig(config, trajectory.entry).trainer;
    expect(provenance.success.episodes).toBe(val_seeds ? seedsOf(val_seeds).length : 256);
    expect(provenance.update > 0).toBe(!/-(warmup|short|novice)$/.test(recording.policy));
  });
});

/** A copy of a game. The state of these games is plain fields. */
const copyOf = (env: Env): Env => {
  const { episode } = env as unknown as { episode?: object };
  return Object.assign(
    Object.create(Object.getPrototypeOf(env)),
    env,
    episode && { episode: { ...episode } },
  );
};

/** Moves to success by breadth-first search over the game's own steps, without its solver. */
function movesToSuccess(start: Env, actions: readonly string[]): number {
  const seen = new Set([start.text()]);
  let frontier = [start];
  for (let moves = 1; frontier.length > 0; moves++) {
    const next: Env[] = [];
    for (const env of frontier)
      for (const action of actions) {
        const copy = copyOf(env);
        const { terminated, success } = copy.step(action);
        if (success) return moves;
        if (terminated || seen.has(copy.text())) continue;
        seen.add(copy.text());
        next.push(copy);
      }
    frontier = next;
  }
  return Number.POSITIVE_INFINITY;
}

/** The lost turn by that search alone. */
function lostBySearch({ envId, seed, turns }: Trajectory, config: RunConfig): number | null {
  const spec = envs.get(envId);
  const options = spec.config.parse(config.env.config) as { max_actions_per_step: number };
  const env = spec.create(options);
  env.reset(seed);
  for (const { index, executed } of turns) {
    let [terminated, success] = [false, false];
    for (const { name, valid } of executed) if (valid) ({ terminated, success } = env.step(name));
    if (success) return null;
    const moves = terminated ? Number.POSITIVE_INFINITY : movesToSuccess(env, spec.actions);
    if (Math.ceil(moves / options.max_actions_per_step) > config.rollout.max_turns - index - 1) return index;
  }
  return null;
}

test("lost turns are those of a search of its own, on at least ten failures", () => {
  const games = [...replays.values()].filter(({ trajectory }) => envs.get(trajectory.envId).movesLeft);
  for (const { id, trajectory, config } of games)
    expect(lostIn(id), id).toBe(lostBySearch(trajectory, entryConfig(config, trajectory.entry)));
  expect(games.filter(({ trajectory }) => !trajectory.success).length).toBeGreaterThanOrEqual(10);
});

/** What the sentences say: turns count from 1; `lost` is the turn that loses the game, `said` is in the reply, `did` is executed. */
interface Said {
  succeeds: boolean;
  turns: number;
  lost?: number;
  said?: Readonly<Record<number, readonly string[]>>;
  did?: Readonly<Record<number, string>>;
  wrong?: Readonly<Record<string, readonly number[]>>;
}

const NOTHING_WRONG = { observation: [], prediction: [] };
const five = <T>(value: T) => ({ 1: value, 2: value, 3: value, 4: value, 5: value });

const said: Readonly<Record<string, Said>> = {
  "frozenlake-10203-free-think": { succeeds: true, turns: 2, said: { 1: ["left hole"] } },
  "frozenlake-10203-grounding": { succeeds: true, turns: 2, said: { 1: ["player at row 2 col 1"] } },
  "frozenlake-10203-worldmodeling": { succeeds: true, turns: 2, said: { 1: ["player at row 3 col 1"] } },
  "frozenlake-10079-early": {
    succeeds: false,
    turns: 2,
    lost: 2,
    said: { 2: ["up free"] },
    did: { 2: "Up" },
    wrong: { surroundings: [2] },
  },
  "frozenlake-10079-trained": {
    succeeds: true,
    turns: 3,
    said: { 2: ["up hole"] },
    did: { 2: "Left" },
    wrong: { surroundings: [] },
  },
  "frozenlake-10048-early": {
    succeeds: false,
    turns: 2,
    lost: 2,
    said: { 2: ["up hole"] },
    did: { 1: "Left", 2: "Up" },
  },
  "frozenlake-10048-trained": {
    succeeds: true,
    turns: 4,
    said: { 2: ["up hole"] },
    did: { 1: "Left", 2: "Left" },
  },
  "frozenlake-10027-trained": {
    succeeds: true,
    turns: 4,
    said: { 3: ["up hole"] },
    did: { 3: "Right" },
    wrong: { ...NOTHING_WRONG, surroundings: [] },
  },
  "frozenlake-10027-early": {
    succeeds: false,
    turns: 4,
    lost: 4,
    said: { 3: ["up hole"] },
    did: { 3: "Left", 4: "Right, Up" },
    wrong: { observation: [], surroundings: [] },
  },
  "frozenlake-10134-trained": { succeeds: true, turns: 5, wrong: { ...NOTHING_WRONG, surroundings: [] } },
  "frozenlake-10242-base": {
    succeeds: false,
    turns: 5,
    said: { 2: ["right hole"] },
    did: { 2: "Up", 3: "Up", 4: "Up", 5: "Down, Right" },
    wrong: { ...NOTHING_WRONG, surroundings: [] },
  },
  "frozenlake-10242-full": {
    succeeds: true,
    turns: 5,
    said: { 2: ["right hole"] },
    did: { 2: "Down" },
    wrong: { ...NOTHING_WRONG, surroundings: [] },
  },
  "frozenlake-10203-no-think": { succeeds: false, turns: 1, lost: 1, said: { 1: ["Left, Down"] } },
  "frozenlake-10203-world-modeling": {
    succeeds: true,
    turns: 2,
    said: { 1: ["up hole, down free, left hole, right hole"] },
    did: { 1: "Down", 2: "Left" },
  },
  "frozenlake-10071-hacked": {
    succeeds: false,
    turns: 5,
    said: five(["down goal"]),
    did: five("Left"),
    wrong: { ...NOTHING_WRONG, surroundings: [] },
  },
  "frozenlake-10071-shared": { succeeds: true, turns: 1, did: { 1: "Down" } },
  "sokoban-10077-early": {
    succeeds: true,
    turns: 1,
    did: { 1: "Down" },
    wrong: { ...NOTHING_WRONG, surroundings: [] },
  },
  "sokoban-10077-unmasked": { succeeds: false, turns: 5, did: five("") },
  "sokoban-10234-early": {
    succeeds: false,
    turns: 5,
    said: { 1: ["up wall", "down box"], 5: ["up wall"] },
    wrong: NOTHING_WRONG,
  },
  "sokoban-10234-trained": { succeeds: true, turns: 1, did: { 1: "Down" }, wrong: NOTHING_WRONG },
  "sokoban-10053-early": {
    succeeds: false,
    turns: 5,
    lost: 2,
    did: { 2: "Right" },
    wrong: { observation: [], prediction: [5] },
  },
  "sokoban-10053-trained": {
    succeeds: true,
    turns: 3,
    did: { 2: "Up", 3: "Right, Down" },
    wrong: NOTHING_WRONG,
  },
  "sokoban-10160-trained": {
    succeeds: true,
    turns: 4,
    did: { 4: "Down" },
    wrong: { observation: [2], prediction: [] },
  },
  "sokoban-10098-early": { succeeds: true, turns: 5, wrong: NOTHING_WRONG },
  "sokoban-10098-trained": {
    succeeds: false,
    turns: 5,
    lost: 5,
    did: { 4: "Left", 5: "Down, Left, Up" },
    wrong: { observation: [3, 4], prediction: [1, 5] },
  },
  "navigation-95061-early": {
    succeeds: false,
    turns: 6,
    said: { 1: ["target not seen"], 2: ["target bookshelf 11 ahead 10 right"] },
    did: {
      1: "turn_right",
      2: "move_forward, move_forward, move_forward, move_right, move_forward",
      5: "move_forward, move_left, move_forward, move_forward, move_forward",
      6: "move_left, move_forward, move_left, move_left, move_forward",
    },
  },
  "navigation-95061-trained": {
    succeeds: true,
    turns: 4,
    said: { 2: ["target bookshelf 3 ahead 8 right"], 3: ["bookshelf 9 ahead 7 right"] },
    did: {
      1: "turn_right",
      2: "turn_right",
      3: "move_right, move_right, move_right, move_right, move_right",
    },
    wrong: { observation: [2, 3, 4], prediction: [2, 3, 4] },
  },
  "navigation-95041-early": {
    succeeds: false,
    turns: 6,
    said: { 1: ["table 9 ahead 3 left", "target not seen"] },
    did: { 1: "turn_right", 2: "turn_right" },
  },
  "navigation-95041-trained": {
    succeeds: true,
    turns: 2,
    said: { 1: ["sees table 10 ahead 4 left", "target table 10 ahead 4 left"] },
  },
  "navigation-95011-early": {
    succeeds: false,
    turns: 6,
    said: { 1: ["target mirror 11 ahead 4 left"] },
    did: { 1: "move_forward, move_forward, move_forward, move_forward, move_forward", 2: "turn_left" },
  },
  "navigation-95011-trained": {
    succeeds: true,
    turns: 3,
    did: {
      1: "move_forward, move_right, move_forward, move_right, move_forward",
      2: "move_left, move_left, move_left, move_forward, move_forward",
      3: "move_forward, move_right, move_forward, move_right",
    },
  },
  "navigation-95017-early": {
    succeeds: false,
    turns: 6,
    did: {
      2: "turn_right, turn_right, turn_right, move_forward, move_forward",
      3: "turn_right",
      4: "turn_right",
      5: "turn_right",
    },
  },
  "navigation-95017-trained": {
    succeeds: false,
    turns: 6,
    said: {
      1: ["target not seen"],
      2: ["target not seen"],
      3: ["target clock 20 ahead 7 right"],
      4: ["target painting 5 ahead 5 left", "clock 5 ahead 5 left"],
    },
    did: { 1: "turn_right", 2: "turn_right" },
    wrong: { observation: [3, 4, 5, 6], prediction: [3, 4, 5, 6] },
  },
  "blackjack-10071-early": {
    succeeds: false,
    turns: 3,
    said: { 2: ["hard 19"], 3: ["hard 20"] },
    did: { 1: "Hit", 2: "Hit", 3: "Hit" },
  },
  "blackjack-10071-trained": {
    succeeds: true,
    turns: 2,
    said: { 2: ["hard 19"] },
    did: { 1: "Hit", 2: "Stand" },
  },
  "blackjack-10077-early": { succeeds: false, turns: 1, said: { 1: ["dealer 5"] }, did: { 1: "Hit" } },
  "blackjack-10077-trained": { succeeds: true, turns: 1, said: { 1: ["hard 15"] }, did: { 1: "Stand" } },
  "blackjack-10148-early": {
    succeeds: false,
    turns: 3,
    said: { 2: ["soft 18"], 3: ["hard 18"] },
    did: { 2: "Hit", 3: "Hit" },
  },
  "blackjack-10148-trained": {
    succeeds: true,
    turns: 3,
    said: { 2: ["soft 18"], 3: ["hard 18"] },
    did: { 2: "Hit", 3: "Stand" },
  },
  "blackjack-10051-early": {
    succeeds: true,
    turns: 2,
    said: { 1: ["dealer 4 ; hard 18"], 2: ["hard 21"] },
    did: { 1: "Hit", 2: "Stand" },
  },
  "blackjack-10051-trained": { succeeds: false, turns: 1, said: { 1: ["hard 18"] }, did: { 1: "Stand" } },
  "svg-10154-early": {
    succeeds: false,
    turns: 2,
    said: {
      1: ["orange circle 0 0 32 32 ; purple path 0 32 32 48", "M16 32L32 48L16 48L0 48Z"],
      2: ["M16 32L32 48L16 48L0 48Z"],
    },
  },
  "svg-10154-trained": {
    succeeds: true,
    turns: 1,
    said: { 1: ["orange circle 0 0 32 32 ; purple path 0 32 32 48", "M16 32L32 40L16 48L0 40Z"] },
  },
  "svg-10035-early": {
    succeeds: false,
    turns: 2,
    said: {
      1: ["orange circle 0 0 48 48 ; deepskyblue rect 0 24 16 56", 'r="32"'],
      2: ["<observation>orange circle 0 0 64 48 ;", 'r="32"'],
    },
  },
  "svg-10035-trained": {
    succeeds: true,
    turns: 1,
    said: { 1: ["orange circle 0 0 48 48 ; deepskyblue rect 0 24 16 56"] },
  },
  "svg-10036-early": { succeeds: false, turns: 2, said: { 1: ["gold rect 8 8 56 40"] } },
  "svg-10036-trained": {
    succeeds: true,
    turns: 1,
    said: {
      1: ["purple rect 40 16 56 32</observation>", '<rect x="40" y="16" width="16" height="16" fill="gold"'],
    },
  },
  "svg-10057-early": {
    succeeds: true,
    turns: 1,
    said: { 1: ["green circle 16 8 64 56 ; red path 0 16 48 64"] },
  },
  "svg-10057-trained": {
    succeeds: false,
    turns: 2,
    said: { 1: ["green circle 32 8 64 56"], 2: ['64 48L16 0Z" fill="red"/>'] },
    did: { 2: "" },
  },
  "primitive-skill-place-10003-early": {
    succeeds: false,
    turns: 4,
    said: {
      1: ["red cube (-53,1,20) ; green cube (-84,-94,20)", "place(-83,-94,20)"],
      4: ["green cube (-84,-94,20)"],
    },
  },
  "primitive-skill-place-10003-trained": {
    succeeds: true,
    turns: 2,
    said: {
      1: ["red cube (-53,1,20) ; green cube (-84,-94,20)", "place(80,-100,20)"],
      2: ["place(80,100,19)"],
    },
    wrong: { observation: [], prediction: [] },
  },
  "primitive-skill-stack-10003": {
    succeeds: true,
    turns: 2,
    said: { 2: ["red cube (31,15,60) ; green cube (31,16,20)", "place(33,16,101)"] },
  },
  "primitive-skill-stack-10011": {
    succeeds: true,
    turns: 3,
    said: {
      1: ["red cube (-37,60,20) ; green cube (-29,168,20)", "pick(-37,60,20)"],
      2: ["red cube (-29,168,20) ; green cube (-86,60,20) ; purple cube (-37,-169,20)"],
    },
  },
  "primitive-skill-drawer-10001": {
    succeeds: true,
    turns: 2,
    said: { 1: ["pick(-131,159,35) | place(-500,-560,241)"], 2: ["push("] },
  },
  "primitive-skill-align-10003-early": {
    succeeds: false,
    turns: 3,
    said: {
      1: ["place(1,-20)"],
      2: ["red cube (0,-120,29,20)", "pick(149,129,20) | place(0,0,20)"],
      3: ["place(0,120)"],
    },
  },
  "primitive-skill-align-10003-trained": {
    succeeds: true,
    turns: 2,
    said: {
      1: ["green cube (149,199,20)", "pick(145,-160,20) | place(1,-1,20)"],
      2: ["green cube (149,129,20)", "pick(149,169,20) | place(0,-159,20)"],
    },
    wrong: { observation: [1] },
  },
  "spatial-gym-rooms-10084-early": {
    succeeds: false,
    turns: 5,
    said: {
      4: ["clock 6 back 2 left", "JumpTo(washer)"],
      5: ["<observation>fridge 4 ahead", "fridge 6 back 2 left", "at 7 o'clock, behind"],
    },
    did: { 5: "Answer(back)" },
    wrong: { observation: [] },
  },
  "spatial-gym-rooms-10084-trained": {
    succeeds: true,
    turns: 5,
    said: {
      4: ["washer 3 ahead 9 left", "JumpTo(washer)"],
      5: ["<observation>fridge 4 ahead", "fridge 3 ahead 9 left", "at 10 o'clock, to the left"],
    },
    did: { 5: "Answer(left)" },
    wrong: { observation: [] },
  },
  "three-tasks-lake-10139-trained": {
    succeeds: true,
    turns: 3,
    said: { 1: ["down hole"], 2: ["left hole"], 3: ["down hole"] },
    wrong: { observation: [], surroundings: [] },
  },
  "three-tasks-room-10001-trained": {
    succeeds: true,
    turns: 3,
    said: { 2: ["down stuck box"] },
    did: { 1: "Down", 2: "Left", 3: "Down, Right" },
  },
  "three-tasks-home-95037-trained": {
    succeeds: true,
    turns: 3,
    said: { 2: ["target painting 3 ahead 2 left", "target painting 3 ahead 2 right"] },
    did: {
      2: "move_left, move_left, move_left, move_left, move_left",
      3: "move_right, move_right, move_forward",
    },
    wrong: { prediction: [] },
  },
  "spatial-gym-10063-early": {
    succeeds: false,
    turns: 1,
    said: { 1: ["mirror not seen", "toilet 4 ahead 0 right at 12 o'clock"] },
    did: { 1: "Answer(ahead)" },
  },
  "spatial-gym-10063-trained": {
    succeeds: true,
    turns: 4,
    said: { 1: ["mirror not seen"], 4: ["mirror 2 back 4 left at 8 o'clock, to the left"] },
    did: { 4: "Answer(left)" },
  },
  "spatial-gym-10065-early": {
    succeeds: false,
    turns: 2,
    said: { 2: ["at 7 o'clock", "at 11 o'clock, the other at 7, behind"] },
    did: { 2: "Answer(back)" },
  },
  "spatial-gym-10065-trained": {
    succeeds: true,
    turns: 2,
    said: { 2: ["at 10 o'clock, the other at 7, to the right"] },
    did: { 2: "Answer(right)" },
  },
  "spatial-gym-map-10146-early": {
    succeeds: false,
    turns: 3,
    said: {
      1: ["wardrobe 2 ahead 4 left"],
      3: ["wardrobe 2 ahead 4 left facing right"],
    },
    did: {
      3: "Map(mirror 1 ahead 5 right facing left; dresser 1 ahead 3 right facing left; wardrobe 2 ahead 4 left facing right; basket 5 back 1 left)",
    },
  },
  "spatial-gym-map-10146-trained": {
    succeeds: true,
    turns: 3,
    said: {
      2: ["wardrobe 3 ahead 5 right", "wardrobe not seen"],
      3: ["wardrobe 5 back 3 right facing ahead"],
    },
    did: {
      3: "Map(mirror 1 ahead 5 right facing left; dresser 2 ahead 3 right facing left; wardrobe 5 back 3 right facing ahead; basket 5 back 1 left)",
    },
  },
  "spatial-gym-10120-early": {
    succeeds: true,
    turns: 3,
    said: { 3: ["at 12 o'clock, the other at 2, to the left"] },
    did: { 3: "Answer(left)" },
  },
  "spatial-gym-10120-trained": {
    succeeds: false,
    turns: 3,
    said: { 3: ["at 1 o'clock, the other at 2, behind"] },
    did: { 3: "Answer(back)" },
  },
  "visual-math-10004-early": {
    succeeds: false,
    turns: 3,
    said: { 1: ["guess"], 2: ["guess"], 3: ["guess"] },
  },
  "visual-math-10004-trained": { succeeds: true, turns: 2, said: { 1: ["measure A B"] } },
  "visual-math-10252-early": {
    succeeds: false,
    turns: 3,
    said: { 2: ["guess"], 3: ["guess"] },
    did: { 1: "7" },
  },
  "visual-math-10252-trained": {
    succeeds: true,
    turns: 3,
    said: { 2: ["measure A B"] },
    did: { 1: "7", 3: "12" },
  },
  "visual-math-10021-early": {
    succeeds: false,
    turns: 3,
    said: { 1: ["guess"], 2: ["row 0 2 = 2 ; row 1 1 = 3 ; row 2 1 = 4 ; row 3 1 = 4"] },
    did: { 2: "4", 3: "7" },
  },
  "visual-math-10021-trained": {
    succeeds: true,
    turns: 1,
    said: { 1: ["row 0 2 = 2 ; row 1 1 = 3 ; row 2 1 = 4 ; row 3 1 = 5"] },
    did: { 1: "5" },
  },
  "visual-math-10074-early": { succeeds: true, turns: 1, did: { 1: "4" } },
  "visual-math-10074-trained": {
    succeeds: false,
    turns: 3,
    said: { 1: ["row 2 2 = 2"], 3: ["row 0 0 = 2"] },
    did: { 1: "3", 2: "" },
  },
  "visual-math-10047-areal": { succeeds: true, turns: 3, did: { 1: "7", 2: "5", 3: "6" } },
};

test.each([...replays.keys()])("%s shows what its sentence says", (id) => {
  const claimed = said[id]!;
  const { turns, success } = replays.get(id)!.trajectory;
  expect([success, turns.length]).toEqual([claimed.succeeds, claimed.turns]);
  if (claimed.lost) expect(lostIn(id)).toBe(claimed.lost - 1);
  for (const [turn, words] of Object.entries(claimed.said ?? {}))
    for (const word of words) expect(turns[Number(turn) - 1]!.reply).toContain(word);
  for (const [turn, actions] of Object.entries(claimed.did ?? {}))
    expect(turns[Number(turn) - 1]!.executed.map(({ name }) => name).join(", "), `turn ${turn}`).toBe(
      actions,
    );
  for (const [claim, wrong] of Object.entries(claimed.wrong ?? {})) {
    const isWrong = (status = "") => ["mismatch", "partial", "unreadable"].includes(status);
    const found = turns.filter(({ verdicts }) => isWrong(verdicts[claim]?.status));
    expect(
      found.map(({ index }) => index + 1),
      claim,
    ).toEqual(wrong);
  }
});

test("VAGEN-Full is what the preset of its replay trains", () => {
  const { config } = getPreset("frozenlake-nano");
  const different = diffConfigs(config, applyChanges(config, methods.get("vagen-full").changes));
  // The policy was trained with means over tokens, before the methods averaged over sequences as VAGEN does.
  expect(different.map(({ path }) => path)).toEqual(["actor.loss_agg_mode", "critic.loss_agg_mode"]);
});
