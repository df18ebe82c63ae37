// An episode in words, for the person who chooses what to record.
import { entryConfig } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { isBoard } from "../../core/scene.ts";
import type { Trajectory, Turn } from "../../core/types.ts";
import { lostTurn } from "../../envs/lost.ts";

/** What an episode teaches, in numbers. */
interface Highlights {
  success: boolean;
  turns: number;
  /** Turn after which the game is lost, from 1; 0: never. */
  lost: number;
  /** Turns, from 1, whose claim is wrong, and those whose action did nothing or could not be read. */
  wrongBeliefs: readonly number[];
  wrongPredictions: readonly number[];
  malformed: readonly number[];
  blocked: readonly number[];
}

const isWrong = (turn: Turn, claim: string): boolean =>
  ["mismatch", "partial", "unreadable"].includes(turn.verdicts[claim]?.status ?? "");

/** The highlights of an episode. */
export function highlightsOf(trajectory: Trajectory, config: RunConfig): Highlights {
  const { turns, success } = trajectory;
  const where = (holds: (turn: Turn) => boolean) => turns.filter(holds).map(({ index }) => index + 1);
  const { env, rollout } = entryConfig(config, trajectory.entry);
  const lost = lostTurn(trajectory, env.config, { maxTurns: rollout.max_turns });
  return {
    success,
    turns: turns.length,
    lost: lost === null ? 0 : lost + 1,
    wrongBeliefs: where((turn) => isWrong(turn, "observation")),
    wrongPredictions: where((turn) => isWrong(turn, "prediction")),
    malformed: where(({ parsed }) => !parsed.formatOk),
    blocked: where(({ executed }) => executed.some(({ effective }) => !effective)),
  };
}

/** One line: "fails in 3 turns, lost after 2, wrong belief in 2". */
export function headlineOf({ success, turns, lost, ...wrong }: Highlights): string {
  const parts = [
    `${success ? "succeeds" : "fails"} in ${turns}`,
    ...(lost ? [`lost after ${lost}`] : []),
    ...Object.entries(wrong)
      .filter(([, at]) => at.length > 0)
      .map(([name, at]) => `${NAMES[name]} ${at.join(" ")}`),
  ];
  return parts.join(", ");
}

const NAMES: Readonly<Record<string, string>> = {
  wrongBeliefs: "wrong belief",
  wrongPredictions: "wrong prediction",
  malformed: "malformed",
  blocked: "no effect",
};

/** Every turn: the reply, what was done, what the judge said. */
export function storyOf(trajectory: Trajectory, config: RunConfig): string {
  const head = `${trajectory.envId} ${trajectory.seed}: ${headlineOf(highlightsOf(trajectory, config))}`;
  return [head, ...trajectory.turns.map(turnStory)].join("\n");
}

function turnStory({ index, reply, executed, tool, verdicts, rewards, before, after }: Turn): string {
  const done = executed.map(({ name, note }) => (note ? `${name} (${note})` : name)).join(", ");
  const said = Object.entries(verdicts).map(
    ([claim, { status, fields }]) =>
      `${claim} ${status} ${fields.map((f) => `${f.name}: ${f.predicted} / ${f.truth}`).join("; ")}`,
  );
  const scene = (state: typeof before) =>
    JSON.stringify(
      isBoard(state)
        ? { player: state.player, ...state.entities, ...state.facts }
        : { things: state.things, ...state.facts },
    );
  return [
    `  turn ${index + 1}: ${reply}`,
    `    before ${scene(before)}`,
    `    did    ${done || "nothing"}${tool ? ` · ${tool.call} → ${tool.result}` : ""}`,
    `    after  ${JSON.stringify((isBoard(after) ? after.player : undefined) ?? after.facts)}`,
    ...said.map((text) => `    ${text}`),
    `    reward ${JSON.stringify(rewards)}`,
  ].join("\n");
}
