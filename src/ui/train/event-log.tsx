// What happened in the run, newest first; the same events are marks on the charts.
import { numberingText } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import type { EventMark } from "../store/run-view.ts";

const WORDS: Record<EventMark["kind"], string> = {
  checkpoint: "Saved",
  config: "Changed",
  stage: "Stage",
  warning: "Warning",
  alarm: "Alarm",
  alarm_over: "Alarm over",
  device_lost: "Device",
  went_back: "Went back",
  resumed: "Resumed",
};

const SHOWN = 40;

export function EventLog() {
  const marks = useRun((view) => view.marks);
  const numbering = useRun(numberingText);
  if (marks.length === 0) return null;
  const newest = marks.slice(-SHOWN).reverse();
  return (
    <details className="card">
      <summary className="px-3 py-2 text-dense">
        <span className="font-semibold">Events</span>{" "}
        <span className="text-muted">
          {marks.length}, last: {newest[0]!.text}
        </span>
      </summary>
      {numbering && <p className="px-3 pb-2 text-caption text-muted">{numbering}</p>}
      <ol className="nums border-t border-line px-3 py-1 text-dense">
        {newest.map((mark) => (
          <li key={`${mark.kind} ${mark.update} ${mark.text}`} className="flex gap-3 py-1">
            <span className="w-24 flex-none text-muted">update {mark.update}</span>
            <span className="w-20 flex-none text-muted">{WORDS[mark.kind]}</span>
            <span className="min-w-0">{mark.text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
