// How fast a clock runs.
import { SPEEDS } from "../../replay/clock.ts";
import type { PlayerClock } from "./player-clock.ts";
import { useClock } from "./use-clock.ts";

/** A speed that an address or a message chose need not be among the usual ones; it is offered too. */
export function SpeedSelect({ clock }: { clock: PlayerClock }) {
  const speed = useClock(clock, (state) => state.speed);
  const choices = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
  return (
    <select
      className="field-input nums"
      aria-label="Speed"
      value={speed}
      onChange={(event) => clock.setSpeed(Number(event.target.value))}
    >
      {choices.map((value) => (
        <option key={value} value={value}>
          {value} ×
        </option>
      ))}
    </select>
  );
}
