// A trained policy plays the level on screen, turn by turn. WebGPU is not needed, but can be chosen.
import { Dices, Play, Square } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { formatMiB } from "../../core/format.ts";
import type { Trajectory, Turn } from "../../core/types.ts";
import { Chip } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { onDemand } from "../lib/on-demand.ts";
import { useUi } from "../store/ui-store.ts";
import { BACKENDS, BackendChoice } from "./backend-choice.tsx";
import { EnvPicture } from "./env-picture.tsx";
import { outcomeOf } from "./outcome.ts";
import { replayEpisode } from "./replay-frames.ts";
import { ReplyText, TurnTimeline } from "./turn-parts.tsx";
import { useLevelPlay } from "./use-level-play.ts";

interface PolicyPlaysProps {
  env: RunConfig["env"];
  seed: number;
  /** Shows another level, and returns its seed. */
  onAnotherLevel: () => number;
}

export default function PolicyPlays({ env, seed, onAnotherLevel }: PolicyPlaysProps) {
  const { shown, name, start, stop, open, fileProblem, runOn } = useLevelPlay(env, seed);
  const isPlaying = shown !== null && !shown.trajectory && !shown.problem;
  return (
    <section aria-label="A policy plays this level" className="flex flex-col gap-3 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-2">
        {name && !isPlaying && (
          <button type="button" className="btn btn-small" onClick={() => void start(seed)}>
            <Play size={14} aria-hidden /> Let a trained policy play this level
          </button>
        )}
        {isPlaying && (
          <button type="button" className="btn btn-small" onClick={stop}>
            <Square size={14} aria-hidden /> Stop
          </button>
        )}
        {shown?.trajectory && (
          <button type="button" className="btn btn-small" onClick={() => void start(onAnotherLevel())}>
            <Dices size={14} aria-hidden /> Another level
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
      {fileProblem && (
        <p role="alert" className="text-dense text-danger">
          {fileProblem}
        </p>
      )}
      {shown?.problem && (
        <p role="alert" className="text-dense text-danger">
          {shown.problem}
        </p>
      )}
      {isPlaying && shown.turns.length === 0 && (
        <p role="status" className="text-dense text-muted">
          Loading the policy and ONNX Runtime…
        </p>
      )}
      {shown && shown.turns.length > 0 && (
        <Turns env={env} seed={seed} turns={shown.turns} trajectory={shown.trajectory} />
      )}
    </section>
  );
}

interface TurnsProps {
  env: RunConfig["env"];
  seed: number;
  turns: readonly Turn[];
  trajectory: Trajectory | null;
}

/** The newest turn, or one that was chosen, and how the episode ended. */
function Turns({ env, seed, turns, trajectory }: TurnsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const picture = useUi((ui) => ui.picture);
  const index = Math.min(chosen ?? turns.length - 1, turns.length - 1);
  const turn = turns[index];
  const replayed = useMemo(
    () => replayEpisode({ envId: env.name, seed, turns: [...turns] }, env.config),
    [env, seed, turns],
  );
  const frames = replayed.ok ? replayed.turns[index] : null;
  const frame = frames ? (frames.steps.at(-1) ?? frames.before) : turn.observation.images[0];
  const outcome = trajectory && outcomeOf(trajectory);
  return (
    <div className="flex flex-col gap-3" data-testid="policy-plays">
      <div className="flex flex-wrap items-center gap-1.5" role="status">
        {outcome ? (
          <Chip tone={outcome.tone}>
            <span aria-hidden>{outcome.mark}</span> {outcome.word}
          </Chip>
        ) : (
          <Chip>Turn {turns.length}</Chip>
        )}
        {trajectory && <Facts />}
      </div>
      <TurnTimeline turns={turns} current={index} onChange={setChosen} />
      {frame && (
        <EnvPicture
          frame={frame}
          seen={null}
          truth={frames ? turn.after : turn.before}
          title={`After turn ${index + 1}`}
          view={picture}
        />
      )}
      <ReplyText turn={turn} />
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
