// An event as a sentence below its turn.
import type { ReplayEvent } from "../../replay/events.ts";
import { EVENT_LOOKS } from "./event-look.ts";

export function EventLine({ event: { kind, text } }: { event: ReplayEvent }) {
  const { icon: Icon, color, label } = EVENT_LOOKS[kind];
  return (
    <p className="flex items-start gap-1.5 text-dense" data-event={kind}>
      <span className="mt-0.5 flex-none" style={{ color: `var(${color})` }} aria-hidden>
        <Icon size={14} />
      </span>
      <span>
        <span className="font-semibold">{label}.</span> {text}
      </span>
    </p>
  );
}
