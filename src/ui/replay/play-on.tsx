// The visitor plays on from a state of the replay.
import { useState } from "react";
import { envs } from "../../envs/registry.ts";
import { counted } from "../lib/format.ts";
import { OwnEnvGame } from "./own-env-game.ts";
import { type Game, OwnGame } from "./own-game.ts";
import { OwnPlay } from "./own-play.tsx";
import type { Playback } from "./playback.ts";

export default function PlayOn({
  playback: { replay, events },
  turn,
  onBack,
}: {
  playback: Pick<Playback, "replay" | "events">;
  turn: number;
  onBack: () => void;
}) {
  const [game] = useState(() => gameFrom(replay, turn));
  return (
    <OwnPlay game={game} from={`from turn ${turn + 1}`} onBack={onBack} backTo="Back to the replay">
      from the start of turn {turn + 1}
      {isLostIn(events, turn) && ", before the move that lost the game"}. Everything is as the agent left it;
      the agent had {counted(replay.maxTurns - turn, "turn")} left.
    </OwnPlay>
  );
}

/** A game from the state before a turn of a recording. */
const gameFrom = ({ trajectory, envConfig }: Playback["replay"], turn: number): Game =>
  envs.get(trajectory.envId).recorded
    ? OwnEnvGame.fromTurn(trajectory, envConfig, turn)
    : new OwnGame(trajectory, envConfig, turn);

const isLostIn = (events: Playback["events"], turn: number) =>
  events.some((event) => event.kind === "lost" && event.turn === turn);
