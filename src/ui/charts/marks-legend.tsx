// What the marks over the charts mean, of those that the run has.
import type { EventMark } from "../store/run-view.ts";
import { isNotch, MARK_LOOKS, markColor } from "./marks.tsx";

type Look = Pick<EventMark, "kind" | "severity">;

/** In the order of the legend. */
const MEANINGS: readonly (Look & { word: string; title: string })[] = [
  { kind: "checkpoint", word: "checkpoint", title: "A checkpoint was saved after this update." },
  {
    kind: "went_back",
    word: "went back",
    title: "The run gave up its later updates and went back to this one.",
  },
  { kind: "resumed", word: "resumed", title: "The run continued from its last checkpoint, at this update." },
  { kind: "config", word: "setting changed", title: "A setting of the run was changed." },
  { kind: "stage", word: "SFT ended", title: "SFT ended here, before its last update." },
  { kind: "warning", word: "warning", title: "The trainer warned at this update." },
  { kind: "alarm", severity: "warning", word: "alarm", title: "An alarm began." },
  { kind: "alarm", severity: "danger", word: "serious alarm", title: "A serious alarm began." },
  { kind: "alarm_over", word: "alarm over", title: "An alarm ended." },
  { kind: "device_lost", word: "GPU lost", title: "The graphics device was lost." },
];

/** One entry for each kind of mark, and of alarms for each severity. */
export function MarksLegend({ marks }: { marks: readonly Look[] }) {
  const nameOf = ({ kind, severity }: Look) => `${kind} ${severity ?? ""}`;
  const present = new Set(marks.map(nameOf));
  const shown = MEANINGS.filter((meaning) => present.has(nameOf(meaning)));
  return shown.map(({ word, title, ...look }) => (
    <span
      key={word}
      className="flex items-center gap-1.5 text-caption whitespace-nowrap text-muted"
      title={`${title} ${isNotch(look.kind) ? "A notch below a chart's axis marks it." : "A line across each chart marks it."}`}
    >
      <Sample {...look} />
      {word}
    </span>
  ));
}

function Sample(look: Look) {
  const { dash } = MARK_LOOKS[look.kind];
  const color = markColor(look);
  if (isNotch(look.kind))
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
