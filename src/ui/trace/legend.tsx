// What the colours mean, with numbers.
import type { TrajectoryTokens } from "../../core/types.ts";
import { formatNumber, formatPercent, formatSigned } from "../lib/format.ts";
import type { Provenance } from "../store/run-view.ts";
import type { HeatMapId } from "../store/view-options.ts";
import { BINS, COVERED, HEAT_MAP_SPECS, scaleOf, unavailable } from "./heat-map.ts";

const UNTRAINED = "Nothing was learned from this episode, so its tokens have no advantage, value or return.";
const IMITATED =
  "The policy imitates a demonstration token by token, so its tokens have no advantage, value or return.";

export function Legend({
  tokens,
  map,
  source,
  whitening,
}: {
  tokens: TrajectoryTokens;
  map: HeatMapId;
  source: Provenance;
  /** What whitening did to the run's advantages; empty where they are not whitened. */
  whitening: string;
}) {
  const { explains, kind, hue, unit } = HEAT_MAP_SPECS[map];
  const reason = source === "demonstration" ? IMITATED : UNTRAINED;
  const { low, high, clipped } = scaleOf(tokens, map);
  const bins =
    kind === "diverging"
      ? Array.from({ length: 2 * BINS + 1 }, (_, i) => i - BINS)
      : Array.from({ length: BINS + 1 }, (_, i) => i);
  const write = kind === "diverging" ? formatSigned : formatNumber;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-caption text-muted">
      {(kind === "diverging" || kind === "sequential") && (
        <span className={`nums flex items-center gap-2 heat ${hue}`}>
          {clipped && kind === "diverging" && "≤ "}
          {write(low)}
          <span className="flex overflow-hidden rounded-sm border border-line" aria-hidden>
            {bins.map((bin) => (
              <span key={bin} className={`h-3.5 w-3 b${bin}`} />
            ))}
          </span>
          {clipped && "≥ "}
          {write(high)} {unit}
        </span>
      )}
      {map === "mask" && (
        <span className="flex items-center gap-3">
          <span className="token token-mask-kept px-1 text-text">trained on</span>
          <span className="token hatch px-1 text-text">given</span>
        </span>
      )}
      <span>
        {map === "none" && unavailable(tokens, "advantage", source) ? reason : explains}
        {clipped &&
          ` The scale covers ${formatPercent(COVERED)} of the tokens. Those beyond it have the colour of its end.`}
        {map === "advantage" && whitening && ` ${whitening}`}
      </span>
    </div>
  );
}
