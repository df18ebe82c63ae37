// A trained policy plays the level on screen, turn by turn. WebGPU is not needed, but can be chosen.
import { Dices, Play, Square } from "lucide-react";
import { useId, useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { formatMiB } from "../../core/format.ts";
import type { Frame, SceneTruth, Turn } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import { Chip } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { LoadBar, openingOf } from "../components/load-bar.tsx";
import { onDemand } from "../lib/on-demand.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { BACKENDS, BackendChoice } from "./backend-choice.tsx";
import { outcomeOf, outcomeText } from "./outcome.ts";
import { replayEpisode, statesOfTurn, type TurnState } from "./replay-frames.ts";
import { TaskReward } from "./task-reward.tsx";
import { ReplyText, RewardParts, TurnTimeline } from "./turn-parts.tsx";
import type { useLevelPlay } from "./use-level-play.ts";

type PolicyPlay = ReturnType<typeof useLevelPlay>;

interface PolicyPlaysProps {
  play: PolicyPlay;
  /** The turn on screen; null before the first. Its picture is elsewhere. */
  moment: ShownTurn | null;
  seed: number;
  /** Shows another level, and returns its seed. */
  onAnotherLevel: () => number;
  /** What else can be done with the level. */
  children?: React.ReactNode;
}

/** Below the picture of the level: the buttons, and what was said in the turn on screen. */
export function PolicyPlays({ play, moment, seed, onAnotherLevel, children }: PolicyPlaysProps) {
  return (
    <section aria-label="A policy plays this level" className="flex flex-col gap-3">
      <PlayControls play={play} seed={seed} onAnotherLevel={onAnotherLevel}>
        {children}
      </PlayControls>
      {moment && <PlayedTurns moment={moment} play={play} />}
      <PolicyNotes play={play} />
    </section>
  );
}

/** The buttons, what is being loaded, and what went wrong. */
export function PlayControls({ play, seed, onAnotherLevel, children }: Omit<PolicyPlaysProps, "moment">) {
  const { shown, name, start, stop, open, opening, fileProblem } = play;
  const isPlaying = shown !== null && !shown.trajectory && !shown.problem;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {children}
        {name && !isPlaying && (
          <button
            type="button"
            className="btn btn-small"
            disabled={opening !== null}
            onClick={() => void start(seed)}
          >
            <Play size={14} aria-hidden /> Let a policy play this level
          </button>
        )}
        {isPlaying && (
          <button type="button" className="btn btn-small" onClick={stop}>
            <Square size={14} aria-hidden /> Stop
          </button>
        )}
        {shown?.trajectory && (
          <button
            type="button"
            className="btn btn-small"
            disabled={opening !== null}
            onClick={() => void start(onAnotherLevel())}
          >
            <Dices size={14} aria-hidden /> Play another level
          </button>
        )}
        <FileButton
          name="ONNX file"
          accept=".onnx"
          title="Play with a policy that this studio exported"
          disabled={opening !== null}
          onFile={open}
        >
          Open ONNX
        </FileButton>
      </div>
      {[fileProblem, shown?.problem].map(
        (problem) =>
          problem && (
            <p key={problem} role="alert" className="text-dense text-danger">
              {problem}
            </p>
          ),
      )}
      {opening && (
        <LoadBar progress={openingOf(opening, "ONNX Runtime")} className="[overflow-wrap:anywhere]" />
      )}
      {isPlaying && shown.turns.length === 0 && <LoadBar progress={LOADING_POLICY} className="" />}
    </>
  );
}

/** Which policy plays, a choice where there are several, and where it runs. */
export function PolicyNotes({ play: { name, choice, runOn } }: { play: PolicyPlay }) {
  if (!name)
    return (
      <p className="text-caption text-muted">
        No policy that ships with the studio fits this environment with these options. Open one from an ONNX
        file.
      </p>
    );
  const where =
    runOn.backend === "wasm" ? "It runs on the processor, with or without WebGPU." : "It runs on the GPU.";
  return (
    <>
      {choice.policies.length > 1 && <PolicyChoice {...choice} />}
      <p className="text-caption text-muted">
        {choice.policies.length > 1 ? "" : `The policy is ${name}. `}
        {where}
      </p>
      <BackendChoice {...runOn} />
    </>
  );
}

function PolicyChoice({ policies, chosen, choose }: PolicyPlay["choice"]) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-2 text-dense">
      <label htmlFor={id}>Policy</label>
      <select
        id={id}
        className="field-input min-w-0 flex-1"
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        {policies.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The worker reports no part of it. */
const LOADING_POLICY = { what: "the policy and ONNX Runtime", bytes: 0, of: null };

export interface ShownTurn {
  turns: readonly Turn[];
  index: number;
  onChange: (index: number) => void;
  /** Reports that the film of the turn has ended: the next one follows. */
  onFilmed: () => void;
  /** Whether films are still to be shown of turns that were played. */
  isBehind: boolean;
  /** After the turn's actions; what the model received before them where the episode cannot be drawn. */
  frame: Frame | undefined;
  /** The state before the turn and that after each action; null where the episode cannot be drawn. */
  states: readonly TurnState[] | null;
  /** The pictures that the agent is shown beside it. */
  further: readonly Frame[];
  truth: SceneTruth;
  /** The state whose drawing is compared: that before the turn while its film draws. */
  compared: SceneTruth;
  /** The floor of the level, where it can be drawn and has one. */
  floor: FloorPlan | null;
  title: string;
}

/**
 * The newest turn of the episode, or one that was chosen; null before the first.
 * @param films Whether each turn is shown as a film: turns that come meanwhile wait for its end.
 */
export function useShownTurn(
  env: RunConfig["env"],
  seed: number,
  turns: readonly Turn[] = NO_TURNS,
  films = false,
): ShownTurn | null {
  const [chosen, setChosen] = useState<number | null>(null);
  const [filmed, setFilmed] = useState(0);
  const isReady = useEnvLoaded(env.name);
  const replayed = useMemo(
    () =>
      isReady && turns.length > 0
        ? replayEpisode({ envId: env.name, seed, turns: [...turns] }, env.config)
        : null,
    [env, seed, turns, isReady],
  );
  // A new episode is followed again.
  if (turns.length === 0 && chosen !== null) setChosen(null);
  if (turns.length === 0 && filmed > 0) setFilmed(0);
  const last = turns.length - 1;
  const hasFilm = (turn: number) => replayed?.ok && replayed.turns[turn]!.steps.length > 0;
  const followed = films ? firstFrom(Math.min(filmed, last), last, hasFilm) : last;
  const index = Math.min(chosen ?? followed, last);
  const turn = turns[index];
  const frames = (replayed?.ok && replayed.turns[index]) || null;
  const states = useMemo(() => frames && turn && statesOfTurn(turn, frames), [frames, turn]) || null;
  if (!turn) return null;
  const { images } = turn.observation;
  const frame = frames ? (frames.steps.at(-1) ?? frames.before) : images[0];
  const further = frames ? (frames.further.at(-1) ?? []) : images.slice(1);
  const [truth, place] = frames ? [turn.after, "After"] : [turn.before, "Before"];
  const floor = replayed?.ok ? replayed.floor : null;
  const title = `${place} turn ${index + 1}`;
  const onFilmed = () => setFilmed((ended) => Math.max(ended, index + 1));
  const isBehind = films && chosen === null && (index < last || (filmed <= last && hasFilm(last) === true));
  const compared = (isBehind && states?.[0]?.truth) || truth;
  const shown = { turns, index, frame, states, further, truth, compared, floor, title };
  return { ...shown, onChange: setChosen, onFilmed, isBehind };
}

/** Shows how a turn of a policy's game came about, in the place of its picture. */
export type TurnFilm = (film: {
  turn: Turn;
  states: readonly TurnState[];
  label: string;
  onEnd: () => void;
}) => React.ReactNode;

/** The film of a turn; undefined if the turn did nothing, or cannot be drawn. */
export function filmOf({ turns, index, states, onFilmed }: ShownTurn, turnFilm: TurnFilm) {
  if (!states || states.length < 2) return undefined;
  return (label: string) => turnFilm({ turn: turns[index]!, states, label, onEnd: onFilmed });
}

/** The first turn from one on that has something, or the last of all. */
function firstFrom(turn: number, last: number, has: (turn: number) => boolean | undefined): number {
  return turn >= last || has(turn) ? turn : firstFrom(turn + 1, last, has);
}

const NO_TURNS: readonly Turn[] = [];

/**
 * The turns of a policy's game below its picture, to choose from. The space is reserved before the first turn. While the game is followed, a
 * turn appears when its film begins.
 */
export function PlayedStrip({
  moment,
  play: { shown },
}: {
  moment: ShownTurn | null;
  play: Pick<PolicyPlay, "shown">;
}) {
  if (!shown || (shown.problem && !moment)) return null;
  return (
    <div className="mt-1.5 min-h-11">
      {moment && (
        <TurnTimeline
          turns={moment.isBehind ? moment.turns.slice(0, moment.index + 1) : moment.turns}
          current={moment.index}
          onChange={moment.onChange}
        />
      )}
    </div>
  );
}

/** How the episode ended, and the reply of the turn on screen with what it was paid. */
export function PlayedTurns({
  moment: { turns, index, isBehind },
  play: { shown },
}: {
  moment: ShownTurn;
  play: Pick<PolicyPlay, "shown">;
}) {
  // Films do not give away how the episode ends.
  const trajectory = (!isBehind && shown?.trajectory) || null;
  const outcome = trajectory && outcomeOf(trajectory);
  const turn = turns[index]!;
  return (
    <div className="flex flex-col gap-3" data-testid="policy-plays">
      <div className="flex flex-wrap items-center gap-1.5" role="status">
        {outcome ? (
          <Chip tone={outcome.tone}>
            <span aria-hidden>{outcome.mark}</span> {outcomeText(outcome)}
          </Chip>
        ) : (
          <Chip>Turn {index + 1}</Chip>
        )}
        {trajectory && <Facts />}
      </div>
      <ReplyText turn={turn} />
      <RewardParts turn={turn} />
      {shown && <TaskReward envId={shown.env.name} envConfig={shown.env.config} turn={turn} />}
      <p className="text-caption text-muted">
        {shown?.rewards} {shown?.rules}
      </p>
    </div>
  );
}

const usePlayer = onDemand(() => import("../session/onnx-player.ts"));

/** Size and speed of the session that played. */
function Facts() {
  const facts = usePlayer()?.sessionFacts();
  if (!facts) return null;
  const { backend, bytes, runtimeBytes, loadMs, msPerToken } = facts;
  return (
    <span className="nums text-caption text-muted" data-testid="onnx-facts">
      {`Policy ${formatMiB(bytes)}, ONNX Runtime ${formatMiB(runtimeBytes)} on the ${BACKENDS[backend]}, opened in ${(loadMs / 1000).toFixed(1)} s, ${msPerToken.toFixed(1)} ms a token`}
    </span>
  );
}
