// A visitor plays a game: its picture, its actions, and what has come of them.
import { RotateCcw, Undo2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { short } from "../../core/short.ts";
import type { SceneTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { Chip } from "../components/controls.tsx";
import { describeTruth } from "../episode/describe-truth.ts";
import { ComparisonOf, TaskSentence } from "../episode/env-picture.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { FurtherPictures } from "../episode/further-pictures.tsx";
import { counted, formatSigned } from "../lib/format.ts";
import { wholeText } from "../settings/words.ts";
import { Actions } from "./own-actions.tsx";
import type { Game, OwnPosition } from "./own-game.ts";
import { TWO_COLUMNS } from "./stage.tsx";

/** What each arrow key does: the first of these actions that the environment has, in any letter case. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  ArrowUp: ["up", "move_forward"],
  ArrowDown: ["down", "move_backward"],
  ArrowLeft: ["left", "turn_left"],
  ArrowRight: ["right", "turn_right"],
};

const actionOfKey = (key: string, actions: readonly string[]): string | undefined => {
  const wanted = Object.hasOwn(ARROWS, key) ? ARROWS[key]! : [];
  return actions.find((name) => wanted.includes(name.toLowerCase()));
};

/** How long an action may take before the page says that it waits, in milliseconds. */
const PATIENCE_MS = 300;

/** The game's position, and ways to change it. `problem` says why the last action could not be played; `isLate`, that it takes long. */
function useGame(game: Game) {
  const [position, setPosition] = useState(game.position);
  const [problem, setProblem] = useState("");
  const [isLate, setLate] = useState(false);
  const pending = useRef(0);
  useEffect(() => () => game.end?.(), [game]);
  const change = async (step: () => void | Promise<void>) => {
    setProblem("");
    pending.current++;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    try {
      const played = step();
      // Where there is nothing to wait for, the page draws at once.
      if (played) await played;
    } catch (error) {
      setProblem(wholeText(serializeError(error)));
    }
    clearTimeout(timer);
    pending.current--;
    if (pending.current === 0) setLate(false);
    setPosition(game.position);
  };
  return {
    position,
    problem,
    isLate,
    play: (name: string) => change(() => game.play(name)),
    /** For a held key: ignores repeats while a move is still being played. */
    playAgain: (name: string) => void (pending.current === 0 && change(() => game.play(name))),
    undo: () => change(() => game.undo()),
    reset: () => change(() => game.reset()),
  };
}

/** Give it another `key` with another game. */
export function OwnPlay({
  game,
  from,
  onBack,
  backTo,
  children,
}: {
  game: Game;
  /** Where the game begins, as in "from turn 3". */
  from: string;
  onBack: () => void;
  /** Names the button that ends the game. */
  backTo: string;
  /** What is being played, for people. */
  children: ReactNode;
}) {
  const { spec } = game;
  const { position, problem, isLate, play, playAgain, undo, reset } = useGame(game);
  const board = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => (field.current ?? board.current)?.focus({ preventScroll: true }), []);
  const hasMoved = position.moves.length > 0;
  return (
    <div className={TWO_COLUMNS} data-own-keys data-testid="play-on">
      <Board
        spec={spec}
        position={position}
        from={from}
        board={board}
        onPlay={play}
        onPlayAgain={playAgain}
      />
      <div className="flex min-w-0 flex-col items-start gap-3">
        <p className="text-dense text-muted">{children}</p>
        <Actions spec={spec} disabled={position.ended !== ""} onPlay={play} field={field} />
        {isLate && <p className="text-dense text-muted">Waiting for the environment…</p>}
        {problem && (
          <p role="alert" className="text-dense break-words text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn btn-small" disabled={!hasMoved} onClick={undo}>
            <Undo2 size={14} aria-hidden /> Undo
          </button>
          <button type="button" className="btn btn-small" disabled={!hasMoved} onClick={reset}>
            <RotateCcw size={14} aria-hidden /> Start again
          </button>
          <button type="button" className="btn btn-small" onClick={onBack}>
            {backTo}
          </button>
        </div>
        <Result position={position} mention={(name) => spec.mention?.(name, true) ?? short(name, 60)} />
      </div>
    </div>
  );
}

interface BoardProps {
  spec: EnvSpec;
  position: OwnPosition;
  from: string;
  board: RefObject<HTMLDivElement | null>;
  onPlay: (name: string) => void;
  onPlayAgain: (name: string) => void;
}

function Board({ spec, position: { state, question }, from, board, onPlay, onPlayAgain }: BoardProps) {
  const { actions } = spec;
  const hasKeys = Object.keys(ARROWS).some((key) => actionOfKey(key, actions));
  const onKeyDown = (event: KeyboardEvent) => {
    const name = actionOfKey(event.key, actions);
    if (!name) return;
    event.preventDefault();
    (event.repeat ? onPlayAgain : onPlay)(name);
  };
  return (
    <div className="max-w-[420px] min-w-0">
      {/* biome-ignore lint/a11y/useSemanticElements: a board is no fieldset */}
      <div
        ref={board}
        role="group"
        aria-label={hasKeys ? "The picture; arrow keys move" : "The picture"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus here is what gives the picture its keys
        tabIndex={0}
        className="relative overflow-hidden rounded-lg border border-line"
        onKeyDown={onKeyDown}
      >
        <FrameCanvas frame={state.frame} label={`You play, ${from}. ${describeTruth(state.truth)}`} />
      </div>
      <p className="mt-1.5">
        <Chip tone="accent">You play</Chip>
      </p>
      <TaskSentence truth={state.truth} />
      {tellsMore(question, state.truth) && (
        <p className="mt-1 text-caption break-words text-muted">The agent reads: {question}</p>
      )}
      <FurtherPictures frames={state.further} />
      <ComparisonOf envId={spec.id} truth={state.truth} />
    </div>
  );
}

/** Whether the agent reads more than the sentence below the picture, such as where things lie. */
const tellsMore = (question: string, { facts }: SceneTruth): boolean =>
  question !== "" && question !== String(facts?.instruction ?? facts?.question ?? "");

/** What has happened so far. */
function Result({
  position,
  mention,
}: {
  position: OwnPosition;
  /** An action in few words. */
  mention: (name: string) => string;
}) {
  const { moves, ended } = position;
  const look = ended === "success" ? "font-semibold text-ok" : ended ? "font-semibold text-danger" : "";
  return (
    <p className="min-w-0 text-dense break-words" role="status" data-testid="own-result">
      <span className={look}>{resultText(position, mention)}</span>
      {moves.length > 0 && (
        <span className="block text-muted">{moves.map(({ name }) => mention(name)).join(", ")}</span>
      )}
    </p>
  );
}

function resultText({ moves, reward, ended }: OwnPosition, mention: (name: string) => string): string {
  const last = moves.at(-1);
  if (!last) return "No action yet.";
  const count = counted(moves.length, "action");
  const paid = `with a reward of ${formatSigned(reward)}`;
  if (ended === "success") return `You solved it in ${count}, ${paid}.`;
  if (ended) return `The game is over after ${count}, ${paid}: ${last.note || "the task was lost"}.`;
  return `${count} so far, ${paid}${last.note ? `; ${mention(last.name)}: ${last.note}` : ""}.`;
}
