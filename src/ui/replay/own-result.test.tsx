// An end of a user's own environment that is neither success nor failure, as people see it. The page runs none of its code.
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import type { Trajectory } from "../../core/types.ts";
import { standIn } from "../../extension/described.ts";
import { replaceExtensions, tried } from "../../extension/index.ts";
import { decodeReplay, encodeReplay } from "../../replay/codec.ts";
import { OwnEnvPlayer } from "../../worker/own-env-client.ts";
import { outcomeInTurns, outcomeOf } from "../episode/outcome.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { ownEnvWorker } from "../testing/own-env-worker.ts";
import { OwnEnvGame } from "./own-env-game.ts";
import { OwnPlay } from "./own-play.tsx";
import { ReplayHead } from "./stage.tsx";

/** A walk to the right whose rival agrees to a tie. */
const duel = {
  id: "duel",
  rows: 2,
  cols: 5,
  actions: ["Right", "Offer", "Give up"],
  things: {
    goal: { color: "#0a7a3c", shape: "square", symbol: "G" },
    player: { color: "#c62f3b", shape: "disc", symbol: "P" },
  },
  claims: ["goal"],
  start: (random: { int(n: number): number }) => ({ col: 0, goal: 1 + random.int(4) }),
  step(state: { col: number; goal: number }, action: string) {
    if (action === "Offer") return { state, done: true, result: "Tie", note: "the rival agreed" };
    if (action === "Give up") return { state, done: true, note: "the rival won" };
    const col = Math.min(4, state.col + 1);
    return { state: { ...state, col }, success: col === state.goal };
  },
  where: ({ col, goal }: { col: number; goal: number }) => ({ player: [0, col], goal: [0, goal] }),
};
const extension = {
  name: "mine",
  factory: (api: { environment(own: unknown): void }) => api.environment(duel),
};

beforeEach(() => void replaceExtensions([standIn("mine", tried(extension).members)]));
afterEach(() => void replaceExtensions([]));

async function gameAfter(action: string): Promise<OwnEnvGame> {
  const own = { extension: { name: "mine", source: "" }, envId: "duel", envConfig: {} };
  const player = new OwnEnvPlayer(own, () => ownEnvWorker(extension));
  const game = await OwnEnvGame.ofLevel("duel", {}, 1, 20, player);
  await game.play(action);
  return game;
}

/** An episode of one turn, as a replay's file gives it back. */
function replayed({ position: { state, moves } }: OwnEnvGame): Trajectory {
  const { turns, ...episode } = fakeTrajectory({ id: "duel", seed: 1 });
  const [{ name, note }] = moves as [(typeof moves)[number]];
  const executed = [{ name, valid: true, effective: true, note }];
  const trajectory: Trajectory = {
    ...{ ...episode, envId: "duel", success: false, truncated: false },
    turns: turns.map((turn) => ({ ...turn, before: state.truth, after: state.truth, executed })),
  };
  const config = checkedRunConfig({ env: { name: "duel" } });
  const success = { rate: 0.5, episodes: 2 };
  const provenance = {
    policy: "p",
    command: "c",
    commit: "0123456789ab",
    update: 1,
    temperature: 1,
    success,
  };
  const file = JSON.stringify(encodeReplay({ id: "one", trajectory, config, provenance }));
  return decodeReplay(JSON.parse(file)).trajectory;
}

const textOf = (html: string): string => html.replace(/<[^>]+>/g, "");
const headOf = (trajectory: Trajectory): string =>
  textOf(
    renderToStaticMarkup(
      <ReplayHead replay={{ trajectory, envConfig: {}, maxTurns: 5, title: "A policy" }} />,
    ),
  );
const shown = (game: OwnEnvGame): string =>
  renderToStaticMarkup(
    <OwnPlay game={game} from="level 1" backTo="Stop playing" onBack={() => undefined}>
      You play level 1.
    </OwnPlay>,
  );

describe("an end with a result", () => {
  it("has that name in a replay", async () => {
    const trajectory = replayed(await gameAfter("Offer"));
    expect(headOf(trajectory)).toBe("A policy= Tie: the rival agreed");
    expect(outcomeOf(trajectory).tone).toBe("plain");
    expect(outcomeInTurns({ ...trajectory, turns: trajectory.turns.slice(-1) }).word).toBe("tie in 1 turn");
  });

  it("has that name in a visitor's game, and does not look like a failure", async () => {
    const html = shown(await gameAfter("Offer"));
    expect(textOf(html)).toContain("Tie after 1 action, with a reward of 0: the rival agreed.");
    expect(html).not.toContain("text-danger");
  });
});

describe("an end without one", () => {
  it("is a failure in a replay and in a visitor's game", async () => {
    const game = await gameAfter("Give up");
    expect(headOf(replayed(game))).toBe("A policy✗ Failed: the rival won");
    expect(shown(game)).toMatch(/text-danger">The game is over after 1 action, .*: the rival won\./);
  });
});
