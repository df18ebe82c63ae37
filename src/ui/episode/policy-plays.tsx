// A trained policy plays the level on screen, turn by turn. WebGPU is not needed, but can be chosen.
import { Dices, Play, Square } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { formatMiB } from "../../core/format.ts";
import type { Frame, SceneTruth, Trajectory, Turn } from "../../core/types.ts";
import { Chip } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { onDemand } from "../lib/on-demand.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { useUi } from "../store/ui-store.ts";
import { BACKENDS, BackendChoice } from "./backend-choice.tsx";
import { EnvPicture } from "./env-picture.tsx";
import { outcomeOf, outcomeText } from "./outcome.ts";
import { replayEpisode } from "./replay-frames.ts";
import { ReplyText, TurnTimeline } from "./turn-parts.tsx";
import { useLevelPlay } from "./use-level-play.ts";

interface PolicyPlaysProps {
  env: RunConfig["env"];
  seed: number;
  /** Shows another level, and returns its seed. */
  onAnotherLevel: () => number;
}

/** Below the level on screen: the buttons, and the episode with its own picture. */
export default function PolicyPlays({ env, seed, onAnotherLevel }: PolicyPlaysProps) {
  const play = useLevelPlay(env, seed);
  const moment = useShownTurn(env, seed, play.shown?.turns);
  const picture = useUi((ui) => ui.picture);
  return (
    <section aria-label="A policy plays this level" className="flex flex-col gap-3 border-t border-line pt-3">
      <PlayControls play={play} seed={seed} onAnotherLevel={onAnotherLevel} />
      {moment && (
        <PlayedTurns moment={moment} trajectory={play.shown?.trajectory ?? null}>
          {moment.frame && (
            <EnvPicture
              envId={env.name}
              frame={moment.frame}
              further={moment.further}
              seen={[]}
              truth={moment.truth}
              title={moment.title}
              view={picture}
            />
          )}
        </PlayedTurns>
      )}
    </section>
  );
}

/** The buttons, which policy it is, and what went wrong. */
export function PlayControls({
  play,
  seed,
  onAnotherLevel,
}: { play: ReturnType<typeof useLevelPlay> } & Pick<PolicyPlaysProps, "seed" | "onAnotherLevel">) {
  const { shown, name, start, stop, open, fileProblem, runOn } = play;
  const isPlaying = shown !== null && !shown.trajectory && !shown.problem;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {name && !isPlaying && (
          <button type="button" className="btn btn-small" onClick={() => void start(seed)}>
            <Play size={14} aria-hidden /> Let a policy play this level
          </button>
        )}
        {isPlaying && (
          <button type="button" className="btn btn-small" onClick={stop}>
            <Square size={14} aria-hidden /> Stop
          </button>
        )}
        {shown?.trajectory && (
          <button type="button" className="btn btn-small" onClick={() => void start(onAnotherLevel())}>
            <Dices size={14} aria-hidden /> Play another level
          </button>
        )}
        <FileButton
          name="ONNX file"
          accept=".onnx"
          title="Play with a policy that this studio exported"
          onFile={open}
        >
          Open ONNX
        </FileButton>
      </div>
      <p className="text-caption text-muted">
        {name
          ? `The policy is ${name}. ${runOn.backend === "wasm" ? "It runs on the processor, with or without WebGPU." : "It runs on the GPU."}`
          : "No policy that ships with the studio fits these options of the environment. Open one as ONNX."}
      </p>
      {name && <BackendChoice {...runOn} />}
      {[fileProblem, shown?.problem].map(
        (problem) =>
          problem && (
            <p key={problem} role="alert" className="text-dense text-danger">
              {problem}
            </p>
          ),
      )}
      {isPlaying && shown.turns.length === 0 && (
        <p role="status" className="text-dense text-muted">
          Loading the policy and ONNX Runtime…
        </p>
      )}
    </>
  );
}

interface ShownTurn {
  turns: readonly Turn[];
  index: number;
  onChange: (index: number) => void;
  /** After the turn's actions; what the model received where the episode cannot be drawn. */
  frame: Frame | undefined;
  /** The pictures that the agent is shown beside it. */
  further: readonly Frame[];
  truth: SceneTruth;
  title: string;
}

/** The newest turn of the episode, or one that was chosen; null before the first. */
export function useShownTurn(
  env: RunConfig["env"],
  seed: number,
  turns: readonly Turn[] = NO_TURNS,
): ShownTurn | null {
  const [chosen, setChosen] = useState<number | null>(null);
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
  const index = Math.min(chosen ?? turns.length - 1, turns.length - 1);
  const turn = turns[index];
  if (!turn) return null;
  const frames = replayed?.ok ? replayed.turns[index] : null;
  const { images } = turn.observation;
  const frame = frames ? (frames.steps.at(-1) ?? frames.before) : images[0];
  const further = frames ? (frames.further.at(-1) ?? []) : images.slice(1);
  const truth = frames ? turn.after : turn.before;
  return { turns, index, onChange: setChosen, frame, further, truth, title: `After turn ${index + 1}` };
}

const NO_TURNS: readonly Turn[] = [];

/** How the episode ended, its turns, and the reply of the one on screen. */
export function PlayedTurns({
  moment: { turns, index, onChange },
  trajectory,
  children,
}: {
  moment: ShownTurn;
  /** Null while it plays. */
  trajectory: Trajectory | null;
  /** The picture, where it is not elsewhere. */
  children?: React.ReactNode;
}) {
  const outcome = trajectory && outcomeOf(trajectory);
  return (
    <div className="flex flex-col gap-3" data-testid="policy-plays">
      <div className="flex flex-wrap items-center gap-1.5" role="status">
        {outcome ? (
          <Chip tone={outcome.tone}>
            <span aria-hidden>{outcome.mark}</span> {outcomeText(outcome)}
          </Chip>
        ) : (
          <Chip>Turn {turns.length}</Chip>
        )}
        {trajectory && <Facts />}
      </div>
      <TurnTimeline turns={turns} current={index} onChange={onChange} />
      {children && (
        <div>
          <p className="mb-1 text-dense font-semibold">After turn {index + 1}</p>
          {children}
        </div>
      )}
      <ReplyText turn={turns[index]!} />
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
