// The numbers of a replay's tokens below its words, off by default.
import { useState } from "react";
import { timeOfToken } from "../../replay/clock.ts";
import { Segmented } from "../components/controls.tsx";
import { type Playback, placeOf } from "../replay/playback.ts";
import { useClock } from "../replay/use-clock.ts";
import { HEAT_MAP_SPECS, unavailable } from "./heat-map.ts";
import { Legend } from "./legend.tsx";
import { TokenStrip } from "./token-strip.tsx";

const MAPS = ["none", "advantage", "value", "reward"] as const;

/** Advantage, value or reward of every token; a click goes to the token. `whitening`: see `Legend`. */
export function TokenHeat({ playback, whitening }: { playback: Playback; whitening: string }) {
  const [map, setMap] = useState<(typeof MAPS)[number]>("none");
  const { tokens } = playback.replay.trajectory;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="text-dense">Per-token values</span>
        <Segmented
          name="Per-token values"
          value={map}
          choices={MAPS.map((value) => ({
            value,
            label: value === "none" ? "Off" : HEAT_MAP_SPECS[value].title,
            disabledBecause: unavailable(tokens, value, "validation"),
          }))}
          onChange={setMap}
        />
      </div>
      {map !== "none" && (
        <>
          <Strip playback={playback} map={map} />
          <Legend tokens={tokens} map={map} source="validation" whitening={whitening} />
        </>
      )}
    </div>
  );
}

function Strip({ playback, map }: { playback: Playback; map: (typeof MAPS)[number] }) {
  const { clock, timeline, replay } = playback;
  const { trajectory } = replay;
  const token = useClock(clock, (state) => placeOf(playback, state).token);
  const go = (index: number) => {
    const written = trajectory.tokens.responseMask.findIndex((mask, i) => i >= index && mask === 1);
    const ms = written < 0 ? null : timeOfToken(timeline, written);
    if (ms !== null) clock.seek(ms);
  };
  return <TokenStrip trajectory={trajectory} map={map} selected={token} onSelect={go} />;
}
