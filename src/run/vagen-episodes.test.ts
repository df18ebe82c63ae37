// Episodes of VAGEN's own games were recorded; the studio plays each of them to the same rewards, metrics, boards and states.
import { describe, expect, it } from "vitest";
import { play } from "../agent/play.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { GroundTruth, Turn } from "../core/types.ts";
import { printedCell } from "../envs/grid.ts";
import { trueRelations } from "../judge/relation-judge.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import legacy from "./golden/vagen-episodes-legacy.json" with { type: "json" };
import lite from "./golden/vagen-episodes-lite.json" with { type: "json" };
import { buildTask } from "./task.ts";

type RecordedTurn = [
  reply: string,
  run: string,
  reward: number,
  flags: string,
  board: string,
  state?: string,
];
type Episode = [
  env: "frozenlake" | "sokoban",
  format: string,
  max: number,
  map: string,
  board: string,
  state: string | null,
  turns: RecordedTurn[],
];
type Generation = "legacy" | "lite";

/** The run that a configuration of VAGEN's describes, on a fixed level. */
const configOf = ([name, format, max, map]: Episode, generation: Generation) =>
  checkedRunConfig({
    env: {
      name,
      preset: generation,
      config: { desc: map.split("/"), max_actions_per_step: max, render_mode: "text" },
    },
    rollout: { prompt_format: format, reply_reading: generation, max_turns: 5, response_length: 1024 },
    reward: { use_state_reward: false, scale_by_turns: false },
    trainer: { micro_batch_tokens: 16384 },
  });

async function played(episode: Episode, generation: Generation) {
  const task = buildTask(configOf(episode, generation));
  const replies = episode[6].map(([reply]) => task.vocabulary.encode(reply));
  // The text of the board as the game prints it, before each reply and after the last.
  const texts: string[] = [];
  const spec = {
    ...task.spec,
    create: (...options: Parameters<typeof task.spec.create>) => {
      const env = task.spec.create(...options);
      const step = env.step.bind(env);
      env.step = (action) => {
        const result = step(action);
        texts[texts.length - 1] = env.text();
        return result;
      };
      return env;
    },
  };
  const policy = scriptedPolicy((env, { turn }) => {
    if (turn === 0) texts.push(env.text());
    texts.push(env.text());
    return replies[turn]!;
  });
  const [trajectory] = await play({
    task: { ...task, spec },
    policy,
    episodes: [{ id: "a", seed: 0, groupId: "g", rngKey: 0 }],
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 1024, seed: 0 },
  });
  return { turns: trajectory!.turns, trajectory: trajectory!, texts };
}

/** A recorded board with the blanks and tabs of its generation. */
const printed = (board: string, generation: Generation): string =>
  board
    .split("/")
    .map((row) => [...row].map((symbol) => printedCell[generation]!(symbol)).join(""))
    .join("\n");

/** A state as the recordings write it: VAGEN calls FrozenLake's goal a target. */
const stateOf = (truth: Turn["after"]): string[] =>
  trueRelations(truth as GroundTruth)
    .filter(({ name }) => name !== "wall")
    .map(
      ({ name, vertical, horizontal }) =>
        `${name === "goal" ? "t" : name[0]}${vertical![0]}${horizontal![0]}`,
    )
    .sort();

const flagsOf = (turn: Turn, isLast: boolean, success: boolean, terminated: boolean): string =>
  [
    isLast && terminated ? "d" : "",
    isLast && success ? "s" : "",
    turn.parsed.formatOk ? "f" : "",
    turn.actionIsValid ? "v" : "",
    turn.actionIsEffective ? "e" : "",
  ].join("");

const cases = { legacy, lite } as unknown as Record<Generation, { episodes: Episode[] }>;

it("cells are printed as in VAGEN, blanks and tabs included", () => {
  expect(printed("_P/OG", "legacy")).toBe(" _ \t P \t\n O \t G \t");
  expect(printed("_P/OG", "lite")).toBe(" _  P \n O  G ");
});

describe.each(["legacy", "lite"] as const)("the %s games", (generation) => {
  it.each(["frozenlake", "sokoban"] as const)("play %s as recorded", async (env) => {
    const episodes = cases[generation].episodes.filter(([name]) => name === env);
    expect(episodes).toHaveLength(40);
    for (const episode of episodes) {
      const [, , , , board, state, recorded] = episode;
      const { turns, trajectory, texts } = await played(episode, generation);
      const names = recorded.map(([reply]) => reply).join(" | ");
      expect(texts, names).toEqual(
        [board, ...recorded.map((turn) => turn[4])].map((b) => printed(b, generation)),
      );
      expect(turns).toHaveLength(recorded.length);
      if (state) expect(stateOf(turns[0]!.before)).toEqual(state.split(" ").sort());
      for (const [i, [, run, reward, flags, , after]] of recorded.entries()) {
        const turn = turns[i]!;
        const ran = turn.executed.filter(({ valid }) => valid).map(({ name }) => name);
        expect(ran.join(","), names).toBe(run);
        expect(turn.reward, names).toBeCloseTo(reward, 9);
        const { success, terminated } = trajectory;
        expect(flagsOf(turn, i + 1 === turns.length, success, terminated), names).toBe(flags);
        if (after) expect(stateOf(turn.after), names).toEqual(after.split(" ").sort());
      }
    }
  });
});
