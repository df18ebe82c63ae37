// The switches of a player.
import { useEffect, useState } from "react";
import { Switch } from "../components/controls.tsx";
import type { PlayerClock } from "./player-clock.ts";

export function Option({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is an input
    <label className="flex min-h-7 items-center gap-2 text-dense">
      <Switch checked={checked} onChange={onChange} /> {label}
    </label>
  );
}

/** Whether playing pauses at events, each at `ms` of the clock and in order; off at first. */
export function StopAtEvents({ clock, dots }: { clock: PlayerClock; dots: readonly { ms: number }[] }) {
  const [stops, setStops] = useState(false);
  useEffect(() => {
    clock.stops = stops ? dots.map(({ ms }) => ms) : [];
  }, [clock, stops, dots]);
  return <Option label="Stop at events" checked={stops} onChange={setStops} />;
}
