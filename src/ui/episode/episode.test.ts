import { describe, expect, it } from "vitest";
import { boardOf } from "../../core/scene.ts";
import type { Cell, SceneTruth, Turn } from "../../core/types.ts";
import { NOT_STATED } from "../../core/verdict.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { cellsIn, type Ghost, ghostsBefore, ghostsOf, joined, neighbourGhosts, rasterOf } from "./beliefs.ts";
import { outcomeInTurns, outcomeOf, outcomeText } from "./outcome.ts";
import { cachedReplay, replayEpisode } from "./replay-frames.ts";

await Promise.all(envs.ids.map(loadEnv));

describe("replaying an episode for its pictures", () => {
  it.each(envs.ids)("draws every state of %s that the policy saw", (envId) => {
    const trajectory = fakeTrajectory({ id: "r", envId, seed: 5, skill: 0.7 });
    const people = replayEpisode(trajectory, {});
    const model = replayEpisode(trajectory, {}, 8);
    if (!people.ok || !model.ok) throw new Error("the replay failed");
    expect(people.turns).toHaveLength(trajectory.turns.length);
    const spec = envs.get(envId);
    expect(people.turns[0]!.before.width).toBe(spec.patches(spec.config.parse({})).cols * 64);
    // At the model's own scale the replay gives exactly the recorded pictures.
    for (const [i, turn] of trajectory.turns.entries())
      expect(model.turns[i]!.before.data).toEqual(turn.observation.images[0]!.data);
    expect(people.turns.map((t) => t.steps.length)).toEqual(trajectory.turns.map((t) => t.executed.length));
  });
  it("begins the game again where AReaL's workflow continues after a solved turn", () => {
    const solved = fakeTrajectory({ id: "a", envId: "visual-math", seed: 5, skill: 1 });
    expect([solved.success, solved.turns.length]).toEqual([true, 1]);
    const turns = [0, 1, 2].map((index) => ({ ...solved.turns[0]!, index }));
    const replay = replayEpisode({ ...solved, turns }, {});
    if (!replay.ok) throw new Error(replay.reason);
    expect(replay.turns.map(({ steps }) => steps.length)).toEqual([1, 1, 1]);
  });
  it("says when the recording does not fit", () => {
    const trajectory = fakeTrajectory({ id: "r", seed: 5 });
    expect(replayEpisode({ ...trajectory, seed: 6 }, {})).toMatchObject({ ok: false });
    expect(replayEpisode({ ...trajectory, envId: "chess" }, {})).toMatchObject({
      ok: false,
      reason: expect.stringContaining("chess"),
    });
    expect(replayEpisode(trajectory, { size: -1 })).toMatchObject({ ok: false });
  });
  it("is done once for an episode", () => {
    const trajectory = fakeTrajectory({ id: "c", seed: 9 });
    expect(cachedReplay(trajectory, {})).toBe(cachedReplay(trajectory, {}));
  });
});

describe("the outcome of an episode", () => {
  it("reports how a task was lost, in the environment's words", () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => fakeTrajectory({ id: "o", seed, skill: 0.2 }));
    const lost = seeds.find(({ terminated, success }) => terminated && !success)!;
    expect(outcomeOf(lost)).toMatchObject({ word: "Failed", how: "fell into a hole" });
    const texts = [lost, { ...lost, success: true }, { ...lost, truncated: true }, { ...lost, turns: [] }];
    expect(texts.map((episode) => outcomeText(outcomeOf(episode)))).toEqual([
      "Failed: fell into a hole",
      "Success",
      "Out of turns",
      "Failed",
    ]);
  });
  it("leaves out what an environment says after the first of its words", () => {
    const note = "the map's score is 0.58; right is mirror 1 ahead 5 right";
    const { turns, ...lost } = fakeTrajectory({ id: "o", seed: 1 });
    const [turn] = turns;
    const last = { ...turn!, executed: [{ ...turn!.executed[0]!, note }] };
    const { how } = outcomeOf({ ...lost, success: false, truncated: false, turns: [last] });
    expect(how).toBe("the map's score is 0.58");
  });
  it("reports it with the number of turns under the same mark", () => {
    const { turns } = fakeTrajectory({ id: "o", seed: 5 });
    const of = (success: boolean, truncated: boolean, count: number) => {
      const episode = {
        envId: "frozenlake",
        success,
        truncated,
        turns: Array.from({ length: count }, () => turns[0]!),
      };
      const { mark, word } = outcomeInTurns(episode);
      expect(mark).toBe(outcomeOf(episode).mark);
      return `${mark} ${word}`;
    };
    expect(of(true, false, 1)).toBe("✓ solved in 1 turn");
    expect(of(false, true, 2)).toBe("– out of turns after 2");
    expect(of(false, false, 2)).toBe("✗ failed in 2 turns");
  });
  it("has the environment's name for an end that is neither success nor failure", () => {
    const note = "the dealer has 17, too";
    const facts = { sum: 17, soft: false, dealer: "J", ended: true };
    const ten: Cell[] = [
      [0, 0],
      [2, 0],
    ];
    const tie: SceneTruth = {
      rows: 6,
      cols: 6,
      entities: {
        J: ten,
        7: [
          [0, 1],
          [2, 1],
        ],
      },
      facts,
    };
    const lost: SceneTruth = { ...tie, entities: { J: ten, 7: [[2, 1]], 8: [[0, 1]] } };
    const ended = (after: SceneTruth) => {
      const turn = fakeTrajectory({ id: "o", seed: 1 }).turns[0]!;
      const executed = [{ name: "Stand", valid: true, effective: true, note }];
      return { envId: "blackjack", success: false, truncated: false, turns: [{ ...turn, after, executed }] };
    };
    expect(outcomeText(outcomeOf(ended(tie)))).toBe("Tie: the dealer has 17, too");
    expect(outcomeInTurns(ended(tie))).toEqual({ mark: "=", word: "tie in 1 turn" });
    expect(outcomeOf(ended(tie)).tone).toBe("plain");
    expect(outcomeOf(ended(lost)).word).toBe("Failed");
    expect(outcomeOf({ ...ended(tie), envId: "frozenlake" }).word).toBe("Failed");
  });
});

describe("claims as places", () => {
  const game = (envId: string) => ({ envId, envConfig: {} });
  it("are read from the judge's words", () => {
    expect(cellsIn("row 1 col 2 and row 0 col 3")).toEqual([
      [1, 2],
      [0, 3],
    ]);
    expect(cellsIn("not stated")).toEqual([]);
  });
  it("are boxes in eighths of the picture in a world without cells", () => {
    const turn = fakeTrajectory({ id: "g", seed: 3, skill: 1 }).turns[0]!;
    const outline = { x: 0.5, y: 0.25, width: 0.125, height: 0.25 };
    const field = { name: "lamp", predicted: "3 ahead", truth: "3 ahead", ok: true };
    const verdict = turn.verdicts.observation!;
    const seen: Turn = {
      ...turn,
      before: { frame: "floor", things: [] },
      verdicts: { observation: { ...verdict, fields: [{ ...field, outline }, field] } },
    };
    const box = { x: 4, y: 2, width: 1, height: 2 };
    expect(ghostsOf(seen, "observation", game("navigation"))).toEqual([{ name: "lamp", box, ok: true }]);
    expect(rasterOf(seen.before)).toEqual({ rows: 8, cols: 8 });
    const plane: Turn = { ...seen, before: { frame: "plane", size: [32, 64], things: [] } };
    expect(rasterOf(plane.before)).toEqual({ rows: 8, cols: 4 });
    expect(ghostsOf(plane, "observation", game("navigation"))).toEqual([
      { name: "lamp", box: { x: 2, y: 2, width: 0.5, height: 2 }, ok: true },
    ]);
  });
  it.each(["navigation", "spatial-gym"])("are at their own height in %s where a thing hangs", (envId) => {
    const turn = fakeTrajectory({ id: "g", envId, seed: 3, skill: 1 }).turns[0]!;
    const verdict = { status: "match", score: 1, judge: "rule", reason: "" } as const;
    const ghostOf = (name: string, predicted: string) => {
      const outline = { x: 0.4, y: 0.5, width: 0.2, height: 0.2 };
      const observation = {
        ...verdict,
        fields: [{ name, predicted, truth: predicted, ok: true, outline }],
      };
      const [ghost] = ghostsOf({ ...turn, verdicts: { observation } }, "observation", game(envId));
      return ghost?.box;
    };
    // The camera is 158 cm high: a mirror hangs from 75 to 185 cm, a clock from 160 cm on.
    const mirror = ghostOf("mirror", "4 ahead 0 right")!;
    expect(mirror.x + mirror.width / 2).toBeCloseTo(4, 6);
    expect((mirror.y + mirror.height - 4) / (4 - mirror.y)).toBeCloseTo((157.6 - 75) / (185 - 157.6), 6);
    const clock = ghostOf("clock", "4 ahead 0 right")!;
    expect(clock.y + clock.height).toBeLessThan(4);
    expect(ghostOf("clock", "4 back 0 right")).toBeUndefined();
    // What stands, and what is no place, is where the verdict has it.
    const stored = { x: 3.2, y: 4, width: expect.closeTo(1.6), height: expect.closeTo(1.6) };
    expect(ghostOf("plant", "4 ahead 0 right")).toMatchObject(stored);
    expect(ghostOf("mirror", "somewhere")).toMatchObject(stored);
  });
  it("are those of the cells beside the player, too, but for what is plain or beyond the edge", () => {
    const turn = fakeTrajectory({ id: "g", seed: 3, skill: 1 }).turns[0]!;
    const before = { ...boardOf(turn.before), player: [0, 1] as const };
    const saying = (...fields: readonly (readonly [name: string, predicted: string, truth: string])[]) => {
      const judged = fields.map(([name, predicted, truth]) => {
        return { name, predicted, truth, ok: predicted === truth };
      });
      const surroundings = {
        status: "partial",
        score: 0.5,
        judge: "rule",
        reason: "",
        fields: judged,
      } as const;
      return { ...turn, before, verdicts: { surroundings } };
    };
    const around = saying(
      ["up", "edge", "edge"],
      ["down", "free", "hole"],
      ["left", "hole", "hole"],
      ["right", "free", "free"],
    );
    const [down, left] = [
      { name: "free", ok: false, box: { x: 1, y: 1, width: 1, height: 1 }, isBeside: true },
      { name: "hole", ok: true, box: { x: 0, y: 0, width: 1, height: 1 }, isBeside: true },
    ];
    expect(neighbourGhosts(around)).toEqual(expect.arrayContaining([down, left]));
    expect(neighbourGhosts(around)).toHaveLength(2);
    expect(neighbourGhosts(saying(["left", NOT_STATED, "hole"], ["down", "wall", "wall"]))).toEqual([]);
    // The observation has the goal already.
    const field = { name: "goal", predicted: "row 0 col 0", truth: "row 0 col 0", ok: true };
    const { verdicts, ...rest } = saying(["left", "goal", "goal"]);
    const observation = { ...verdicts.surroundings, fields: [field] };
    const both = { ...rest, verdicts: { ...verdicts, observation } };
    expect(neighbourGhosts(both)).toHaveLength(1);
    expect(ghostsBefore(both, game("frozenlake"))).toEqual(ghostsOf(both, "observation", game("frozenlake")));
  });
  it.each<[string, observed: Ghost["ok"], beside: readonly [string, Ghost["ok"]], labels: string[]]>([
    ["the same is there once", true, ["box", true], ["box true"]],
    ["another box of the observation is wrong", false, ["box", true], ["box true"]],
    ["what is added is written at the outline", true, ["stuck box", true], ["stuck box true"]],
    ["what is added to a wrong observation, too", false, ["stuck box", true], ["stuck box true"]],
    ["only what is added is wrong", true, ["stuck box", false], ["stuck box false", "box true"]],
    ["something else is wrong", true, ["free", false], ["free false", "box true"]],
    ["what is added is not judged yet", true, ["stuck box", null], ["stuck box null", "box true"]],
    ["the same is not judged yet", true, ["box", null], ["box true"]],
    ["the observation was not judged", null, ["box", true], ["box true"]],
  ])("are one for each cell: %s", (_, ok, [name, isRight], labels) => {
    const box = { x: 1, y: 2, width: 1, height: 1 };
    const ghosts = joined([{ name: "box", ok, box }], [{ name, ok: isRight, box, isBeside: true }]);
    expect(ghosts.map((ghost) => `${ghost.label ?? ghost.name} ${ghost.ok}`)).toEqual(labels);
    expect(ghosts.filter(({ hasNoOutline }) => !hasNoOutline)).toHaveLength(1);
    expect(ghosts.at(-1)).toMatchObject({ name: "box" });
  });
  it("carry the verdict", () => {
    const turn = fakeTrajectory({ id: "g", seed: 3, skill: 1 }).turns[0]!;
    const [y, x] = boardOf(turn.before).player!;
    const ghosts = [{ name: "player", box: { x, y, width: 1, height: 1 }, ok: true }];
    expect(ghostsOf(turn, "observation", game("frozenlake"))).toEqual(ghosts);
    // As earlier versions stored it.
    const { cells: _, ...inWords } = turn.verdicts.observation!.fields[0]!;
    const observation = { ...turn.verdicts.observation!, fields: [inWords] };
    expect(ghostsOf({ ...turn, verdicts: { observation } }, "observation", game("frozenlake"))).toEqual(
      ghosts,
    );
  });
});
