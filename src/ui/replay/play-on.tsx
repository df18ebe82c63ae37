// The visitor plays on from a state of the replay.
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, RotateCcw, Undo2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Chip } from "../components/controls.tsx";
import { describeTruth, TaskSentence } from "../episode/env-picture.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { counted } from "../lib/format.ts";
import { OwnGame, type OwnPosition } from "./own-game.ts";
import type { Playback } from "./playback.ts";
import { TWO_COLUMNS } from "./stage.tsx";

/** What each arrow key does: the first of these actions that the environment has. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  ArrowUp: ["Up", "move_forward"],
  ArrowDown: ["Down", "move_backward"],
  ArrowLeft: ["Left", "turn_left"],
  ArrowRight: ["Right", "turn_right"],
};
const ICONS = { Up: ArrowUp, Down: ArrowDown, Left: ArrowLeft, Right: ArrowRight } as const;
/** With more actions than this there is a field to write one in. */
const MOST_BUTTONS = 8;

export default function PlayOn({
  playback: { replay, events },
  turn,
  onBack,
}: {
  playback: Pick<Playback, "replay" | "events">;
  turn: number;
  onBack: () => void;
}) {
  const [game] = useState(() => new OwnGame(replay.trajectory, replay.envConfig, turn));
  const [position, setPosition] = useState(game.position);
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => board.current?.focus({ preventScroll: true }), []);
  const act = (change: () => void) => {
    change();
    setPosition(game.position);
  };
  const play = (name: string) => act(() => game.play(name));
  const onKeyDown = (event: KeyboardEvent) => {
    const name = ARROWS[event.key]?.find((action) => game.actions.includes(action));
    if (!name) return;
    event.preventDefault();
    play(name);
  };
  return (
    <div className={TWO_COLUMNS} data-own-keys data-testid="play-on">
      <Board position={position} turn={turn} label={board} onKeyDown={onKeyDown} />
      <div className="flex min-w-0 flex-col items-start gap-3">
        <p className="text-dense text-muted">
          You play from the start of turn {turn + 1}
          {isLostIn(events, turn) && ", before the move that lost the game"}. The board is as the agent left
          it; the agent had {counted(replay.maxTurns - turn, "turn")} left.
        </p>
        <ActionPad actions={game.actions} disabled={position.ended !== ""} onPlay={play} />
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-small"
            disabled={position.moves.length === 0}
            onClick={() => act(() => game.undo())}
          >
            <Undo2 size={14} aria-hidden /> Undo
          </button>
          <button
            type="button"
            className="btn btn-small"
            disabled={position.moves.length === 0}
            onClick={() => act(() => game.reset())}
          >
            <RotateCcw size={14} aria-hidden /> Start again
          </button>
          <button type="button" className="btn btn-small" onClick={onBack}>
            Back to the replay
          </button>
        </div>
        <Result position={position} />
      </div>
    </div>
  );
}

const isLostIn = (events: Playback["events"], turn: number) =>
  events.some((event) => event.kind === "lost" && event.turn === turn);

function Board({
  position: { state },
  turn,
  label,
  onKeyDown,
}: {
  position: OwnPosition;
  turn: number;
  label: React.RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  return (
    <div className="max-w-[420px]">
      {/* biome-ignore lint/a11y/useSemanticElements: a board is no fieldset */}
      <div
        ref={label}
        role="group"
        aria-label="The board; arrow keys move"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus here is what gives the board its keys
        tabIndex={0}
        className="relative overflow-hidden rounded-lg border border-line"
        onKeyDown={onKeyDown}
      >
        <FrameCanvas
          frame={state.frame}
          label={`You play, from turn ${turn + 1}. ${describeTruth(state.truth)}`}
        />
        <span className="absolute top-2 right-2">
          <Chip tone="accent">You play</Chip>
        </span>
      </div>
      <TaskSentence truth={state.truth} />
    </div>
  );
}

function ActionPad({
  actions,
  disabled,
  onPlay,
}: {
  actions: readonly string[];
  disabled: boolean;
  onPlay: (name: string) => void;
}) {
  if (actions.length > MOST_BUTTONS)
    return <AnswerField actions={actions} disabled={disabled} onPlay={onPlay} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a pad of buttons is no fieldset
    <div role="group" aria-label="Actions" className="flex flex-wrap gap-2">
      {actions.map((name) => {
        const Icon = Object.hasOwn(ICONS, name) ? ICONS[name as keyof typeof ICONS] : null;
        return (
          <button key={name} type="button" className="btn" disabled={disabled} onClick={() => onPlay(name)}>
            {Icon && <Icon size={16} aria-hidden />} {name}
          </button>
        );
      })}
    </div>
  );
}

function AnswerField({ actions, disabled, onPlay }: Parameters<typeof ActionPad>[0]) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const known = actions.find((name) => name === text.trim());
        setWrong(known === undefined);
        if (known === undefined) return;
        onPlay(known);
        setText("");
      }}
    >
      <input
        className="field-input w-28"
        aria-label="Your answer"
        aria-invalid={wrong}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn" disabled={disabled}>
        Answer
      </button>
      {wrong && (
        <p className="w-full text-caption text-danger">
          This is not an answer here. Write a whole number from {actions[0]} to {actions.at(-1)}.
        </p>
      )}
    </form>
  );
}

/** What has happened so far. */
function Result({ position: { moves, ended } }: { position: OwnPosition }) {
  const last = moves.at(-1);
  const count = counted(moves.length, "action");
  const text =
    ended === "success"
      ? `You solved it in ${count}.`
      : ended === "failure"
        ? `The game is over after ${count}: ${last?.note || "the task was lost"}.`
        : moves.length === 0
          ? "No action yet."
          : `${count} so far${last?.note ? `; ${last.name}: ${last.note}` : ""}.`;
  return (
    <p className="text-dense" role="status" data-testid="own-result">
      <span
        className={ended === "success" ? "font-semibold text-ok" : ended ? "font-semibold text-danger" : ""}
      >
        {text}
      </span>
      {moves.length > 0 && (
        <span className="block text-muted">{moves.map(({ name }) => name).join(", ")}</span>
      )}
    </p>
  );
}
