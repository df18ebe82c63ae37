// What the marks over the charts mean, of those that the run has.
import type { EventMark } from "../store/run-view.ts";
import { isNotch, MARK_LOOKS } from "./marks.tsx";

type Kind = EventMark["kind"];

/** In the order of the legend. */
const MEANINGS: Readonly<Record<Kind, { word: string; title: string }>> = {
  checkpoint: { word: "saved", title: "A checkpoint was saved after this update." },
  resumed: { word: "resumed", title: "The run continued from its last checkpoint, at this update." },
  config: { word: "setting changed", title: "A setting of the run was changed." },
  stage: { word: "SFT ended", title: "SFT ended here, before its last update." },
  warning: { word: "warning", title: "The trainer warned at this update." },
  alarm: { word: "alarm", title: "An alarm began." },
  alarm_over: { word: "alarm over", title: "An alarm ended." },
  device_lost: { word: "GPU lost", title: "The graphics device was lost." },
};

/** One entry for each kind of mark. */
export function MarksLegend({ marks }: { marks: readonly Pick<EventMark, "kind">[] }) {
  const present = new Set(marks.map(({ kind }) => kind));
  const shown = Object.entries(MEANINGS).filter(([kind]) => present.has(kind as Kind));
  return shown.map(([kind, { word, title }]) => (
    <span
      key={kind}
      className="flex items-center gap-1.5 text-caption whitespace-nowrap text-muted"
      title={`${title} ${isNotch(kind as Kind) ? "A notch below a chart's axis marks it." : "A line across each chart marks it."}`}
    >
      <Sample kind={kind as Kind} />
      {word}
    </span>
  ));
}

function Sample({ kind }: { kind: Kind }) {
  const { color, dash } = MARK_LOOKS[kind];
  if (isNotch(kind))
    return (
      <svg width={14} height={8} aria-hidden="true">
        <path d="M0 1.5h14" stroke="var(--control)" fill="none" />
        <path d="M7 1.5v5" stroke={color} fill="none" />
      </svg>
    );
  return (
    <svg width={8} height={14} aria-hidden="true">
      <path d="M4 3v11" stroke={color} strokeDasharray={dash} fill="none" />
      <path d="M0 0h8l-4 6z" fill={color} />
    </svg>
  );
}
