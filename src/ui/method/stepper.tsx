// Buttons that walk through steps, and a clock that presses them.
import { Pause, Play, SkipBack, StepBack, StepForward } from "lucide-react";
import { useEffect, useState } from "react";
import { useReducedMotion } from "../lib/use-media.ts";

/** A step lasts this long while playing. */
const STEP_MS = 700;

/** Where a walk is, and what the buttons do. */
export interface Walk {
  readonly step: number;
  readonly last: number;
  readonly playing: boolean;
  readonly go: (step: number) => void;
  readonly setPlaying: (playing: boolean) => void;
}

/** A walk over steps 0…last. It stops at the end. */
export function useWalk(last: number, ms = STEP_MS, first = 0): Walk {
  const [step, setStep] = useState(first);
  const [playing, setPlaying] = useState(false);
  const isOver = step >= last;
  useEffect(() => {
    if (!playing || isOver) return;
    const clock = setInterval(() => setStep((at) => Math.min(last, at + 1)), ms);
    return () => clearInterval(clock);
  }, [playing, isOver, last, ms]);
  return {
    step: Math.min(step, last),
    last,
    playing: playing && !isOver,
    go: (to) => {
      setPlaying(false);
      setStep(Math.max(0, Math.min(last, to)));
    },
    setPlaying: (on) => {
      if (on && isOver) setStep(0);
      setPlaying(on);
    },
  };
}

/** Start, back, forward and, where motion is welcome, play. */
export function WalkButtons({ walk, back, forward }: { walk: Walk; back: string; forward: string }) {
  const { step, last, playing, go, setPlaying } = walk;
  const still = useReducedMotion();
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <button type="button" className="btn btn-small" onClick={() => go(0)} disabled={step === 0}>
        <SkipBack size={14} aria-hidden />
        Start
      </button>
      <button type="button" className="btn btn-small" onClick={() => go(step - 1)} disabled={step === 0}>
        <StepBack size={14} aria-hidden />
        {back}
      </button>
      <button
        type="button"
        className="btn btn-small btn-primary"
        onClick={() => go(step + 1)}
        disabled={step === last}
      >
        {forward}
        <StepForward size={14} aria-hidden />
      </button>
      {!still && (
        <button type="button" className="btn btn-small" onClick={() => setPlaying(!playing)}>
          {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          {playing ? "Pause" : "Play"}
        </button>
      )}
      <span className="nums ml-1 text-caption text-muted">
        {step + 1} / {last + 1}
      </span>
    </div>
  );
}
