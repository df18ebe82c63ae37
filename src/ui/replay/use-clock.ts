// What a component reads of a player's clock.
import { useSyncExternalStore } from "react";
import type { ClockState, PlayerClock } from "./player-clock.ts";

/**
 * A value of the clock; the component renders again only when it changes. `read` returns a number, a text, a boolean, or
 * null.
 */
export function useClock<T extends number | string | boolean | null>(
  clock: PlayerClock,
  read: (state: ClockState) => T,
): T {
  const value = () => read(clock.get());
  return useSyncExternalStore(clock.subscribe, value, value);
}
