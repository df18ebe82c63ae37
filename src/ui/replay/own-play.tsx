// A visitor plays a game: its picture, its actions, and what has come of them.
import { RotateCcw, Undo2 } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { short } from "../../core/short.ts";
import type { SceneTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { Chip } from "../components/controls.tsx";
import { describeTruth } from "../episode/describe-truth.ts";
import { ComparisonOf, TaskSentence } from "../episode/env-picture.tsx";
import { FurtherPictures } from "../episode/further-pictures.tsx";
import { PictureName } from "../episode/picture-name.tsx";
import { counted, formatEarned } from "../lib/format.ts";
import { wholeText } from "../settings/words.ts";
import { nounOf } from "./own-action.ts";
import { Actions } from "./own-actions.tsx";
import type { Game, OwnPosition } from "./own-game.ts";
import { OwnIcon } from "./own-icon.tsx";
import { keysText, onGameKey } from "./own-keys.ts";
import { OwnPicture, useArrival } from "./own-picture.tsx";
import { GAMES, usePageKeys } from "./page-keys.ts";
import { TWO_COLUMNS } from "./stage.tsx";
import { useLabelOf, useNameOf } from "./whose.ts";

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
    play: (names: readonly string[]) => change(() => playEach(game, names)),
    /** For a held key: ignores repeats while a move is still being played. */
    playAgain: (name: string) => void (pending.current === 0 && change(() => game.play(name))),
    undo: () => change(() => game.undo()),
    reset: () => change(() => game.reset()),
  };
}

/** One after another; those after a problem or the end do nothing. */
function playEach(game: Game, [name, ...others]: readonly string[]): void | Promise<void> {
  if (name === undefined) return;
  const played = game.play(name);
  return played ? played.then(() => playEach(game, others)) : playEach(game, others);
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
  const panel = useFocusWithin(field, board, position);
  const isOver = position.ended !== "";
  const byKeys = { actions: spec.actions, isOver, play: (name: string) => play([name]), playAgain };
  usePageKeys(panel, GAMES, (event) => onGameKey(event, byKeys));
  const nameOf = useNameOf();
  const labelOf = useLabelOf();
  const hasMoved = position.moves.length > 0;
  const { truth } = position.state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a game is no fieldset
    <div
      ref={panel}
      role="group"
      aria-label={nameOf("Your own game")}
      className={TWO_COLUMNS}
      data-own-keys
      data-testid="play-on"
      onKeyDown={(event) => onGameKey(event, byKeys)}
    >
      <Pictures spec={spec} position={position} from={from} board={board}>
        {children}
      </Pictures>
      <div className="flex min-w-0 flex-col items-start gap-3">
        <Result position={position} spec={spec} hasChance={game.hasChance} />
        {problem && (
          <p role="alert" className="text-dense break-words text-danger">
            {problem}
          </p>
        )}
        <Actions
          spec={spec}
          truth={truth}
          perTurn={game.perTurn}
          disabled={isOver}
          onPlay={play}
          field={field}
        />
        {isLate && <p className="text-dense text-muted">Waiting for the environment…</p>}
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-small"
            disabled={!hasMoved}
            onClick={undo}
            {...labelOf("Undo")}
          >
            <Undo2 size={14} aria-hidden /> Undo
          </button>
          <button
            type="button"
            className="btn btn-small"
            disabled={!hasMoved}
            onClick={reset}
            {...labelOf("Start again")}
          >
            <RotateCcw size={14} aria-hidden /> Start again
          </button>
          <button type="button" className="btn btn-small" onClick={onBack} {...labelOf(backTo)}>
            {backTo}
          </button>
        </div>
        <Help spec={spec} />
      </div>
    </div>
  );
}

/**
 * A ref for the panel. The focus begins in it, and stays: a button that a move disables loses the focus, which then goes to the field or
 * to the picture, so that the keys go on working.
 */
function useFocusWithin(
  field: RefObject<HTMLTextAreaElement | null>,
  board: RefObject<HTMLDivElement | null>,
  position: OwnPosition,
) {
  const panel = useRef<HTMLDivElement>(null);
  const hasBegun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move, and at the beginning
  useEffect(() => {
    const at = document.activeElement;
    const isLost = at === document.body || (at?.matches(":disabled") && panel.current?.contains(at));
    const isFirst = !hasBegun.current;
    hasBegun.current = true;
    if (!isFirst && !isLost) return;
    const canWrite = field.current && !field.current.disabled;
    (canWrite ? field.current : board.current)?.focus({ preventScroll: true });
  }, [position]);
  return panel;
}

/** What the actions do, and the keys for them. */
function Help({ spec }: { spec: EnvSpec }) {
  const text = [spec.playHelp?.actions, keysText(spec.actions)].filter(Boolean).join(" ");
  return text && <p className="text-caption text-muted">{text}</p>;
}

interface PicturesProps {
  spec: EnvSpec;
  position: OwnPosition;
  from: string;
  board: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** The picture, what is asked, and what the agent is shown besides. A visitor's drawing is below what it is to show. */
function Pictures({ spec, position, from, board, children }: PicturesProps) {
  const { truth, frame, further } = position.state;
  const label = `You play, ${from}. ${describeTruth(spec.id, truth)}`;
  const picture = <OwnPicture arrival={useArrival(position)} label={label} />;
  const { drawings } = spec;
  const drawn = drawings?.codes(truth);
  return (
    <div className="min-w-0 max-w-[420px]">
      {/* A visitor's drawing is in the comparison below. */}
      <PictureName envId={spec.id} truth={null} />
      <Board spec={spec} board={board}>
        {drawings && drawn ? <OwnIcon drawings={drawings} icon={drawn.icon} side={frame.width} /> : picture}
      </Board>
      <p className="mt-1.5 text-dense text-muted">
        <Chip tone="accent">You play</Chip> {children}
      </p>
      <TaskSentence truth={truth} />
      {tellsMore(position.question, truth) && (
        <p className="mt-1 text-caption break-words text-muted">The agent reads: {position.question}</p>
      )}
      {drawn ? (
        <ComparisonOf envId={spec.id} truth={truth} moving={picture} />
      ) : (
        <FurtherPictures envId={spec.id} frames={further} />
      )}
    </div>
  );
}

interface BoardProps {
  spec: EnvSpec;
  board: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

function Board({ spec, board, children }: BoardProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a board is no fieldset
    <div
      ref={board}
      role="group"
      aria-label={keysText(spec.actions) ? "The picture; arrow keys move" : "The picture"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus begins here, where the keys work
      tabIndex={0}
      className="relative overflow-hidden rounded-lg border border-line"
    >
      {children}
    </div>
  );
}

/** Whether the agent reads more than the sentence below the picture, such as where things lie. */
const tellsMore = (question: string, { facts }: SceneTruth): boolean =>
  question !== "" && question !== String(facts?.instruction ?? facts?.question ?? "");

interface ResultProps {
  position: OwnPosition;
  spec: EnvSpec;
  hasChance: boolean;
}

/** What has happened so far. */
function Result({ position, spec, hasChance }: ResultProps) {
  const { moves, ended } = position;
  const mention = (name: string) => spec.mention?.(name, true) ?? short(name, 60);
  const isFailure = ended === "failure" && !spec.resultIn?.(position.state.truth);
  const look =
    ended === "" ? "" : `font-semibold ${ended === "success" ? "text-ok" : isFailure ? "text-danger" : ""}`;
  const loss = lossText(position, spec);
  return (
    <p className="min-w-0 text-dense break-words" role="status" data-testid="own-result">
      <span className={look}>{resultText(position, { spec, hasChance, mention })}</span>
      {loss && <span className="block">{loss}</span>}
      {moves.length > 0 && !spec.drawings && (
        <span className="block text-muted">{moves.map(({ name }) => mention(name)).join(", ")}</span>
      )}
    </p>
  );
}

/** What an action that lost something paid, and why; empty after any other. */
function lossText({ moves }: OwnPosition, { playHelp }: EnvSpec): string {
  const last = moves.at(-1);
  if (!last || last.reward >= 0) return "";
  return `The last action paid ${formatEarned(last.reward)}. ${playHelp?.losses ?? ""}`.trim();
}

function resultText(
  { moves, reward, ended, state }: OwnPosition,
  { spec, hasChance, mention }: Omit<ResultProps, "position"> & { mention: (name: string) => string },
): string {
  const { resultIn, drawings } = spec;
  const last = moves.at(-1);
  const noun = nounOf(spec);
  if (!last) return `No ${noun} yet.`;
  const count = counted(moves.length, noun);
  const paid = `with a reward of ${formatEarned(reward)}`;
  // What chance decides is won, not solved.
  if (ended === "success") return `You ${hasChance ? "won" : "solved it"} in ${count}, ${paid}.`;
  const result = ended && resultIn?.(state.truth);
  if (result) return `${result} after ${count}, ${paid}: ${last.note}.`;
  if (ended) return `The game is over after ${count}, ${paid}: ${last.note || "the task was lost"}.`;
  const about = drawings ? ". The last one: " : `; ${mention(last.name)}: `;
  return `${count} so far, ${paid}${last.note ? `${about}${last.note}` : ""}.`;
}
