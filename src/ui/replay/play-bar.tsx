// The buttons of a player.
import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  Pause,
  Play,
  SkipBack,
  SkipForward,
} from "lucide-react";
import { READINGS, type Reading, type StepUnit } from "../../replay/clock.ts";
import { IconButton, Segmented } from "../components/controls.tsx";
import type { PlayerClock } from "./player-clock.ts";
import { SpeedSelect } from "./speed-select.tsx";
import { useClock } from "./use-clock.ts";

export interface Controls {
  clock: PlayerClock;
  reading: Reading;
  onReading: (reading: Reading) => void;
  onStep: (unit: StepUnit, by: 1 | -1) => void;
  onEnd: (which: "first" | "last") => void;
}

export function PlayBar({
  controls,
  compact,
  hasPlay = true,
  children,
}: {
  controls: Controls;
  compact: boolean;
  /** Whether the button that plays is among them, rather than elsewhere. */
  hasPlay?: boolean;
  children?: React.ReactNode;
}) {
  const { clock, reading, onReading, onStep, onEnd } = controls;
  const go = (unit: StepUnit, by: 1 | -1) => () => onStep(unit, by);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex items-center gap-0.5">
        {!compact && (
          <IconButton icon={ChevronFirst} name="To the start (Home)" onClick={() => onEnd("first")} />
        )}
        <IconButton icon={SkipBack} name="Previous turn ([)" onClick={go("turn", -1)} />
        <IconButton icon={ChevronLeft} name="Previous step (←)" onClick={go("phase", -1)} />
        {hasPlay && <PlayButton clock={clock} />}
        <IconButton icon={ChevronRight} name="Next step (→)" onClick={go("phase", 1)} />
        <IconButton icon={SkipForward} name="Next turn (])" onClick={go("turn", 1)} />
        {!compact && <IconButton icon={ChevronLast} name="To the end (End)" onClick={() => onEnd("last")} />}
      </div>
      <SpeedSelect clock={clock} />
      {!compact && <ReadingSwitch reading={reading} onReading={onReading} />}
      {children}
    </div>
  );
}

export function ReadingSwitch({ reading, onReading }: Pick<Controls, "reading" | "onReading">) {
  return (
    <Segmented
      name="How much of a turn is shown"
      value={reading}
      choices={READINGS.map((value) => ({ value, label: READING_WORDS[value] }))}
      onChange={onReading}
    />
  );
}

const READING_WORDS: Readonly<Record<Reading, string>> = {
  summary: "Summary",
  log: "Whole turns",
  stream: "At reading pace",
};

export function PlayButton({ clock }: { clock: PlayerClock }) {
  const playing = useClock(clock, (state) => state.playing);
  const Icon = playing ? Pause : Play;
  const name = playing ? "Pause" : "Play";
  return (
    <button
      type="button"
      className="btn btn-primary btn-icon !rounded-full"
      aria-label={name}
      title={`${name} (Space)`}
      onClick={clock.toggle}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
}
