// The names of the turns above the token line, and a tick where each begins.
import type { MethodEpisode } from "./episode-tokens.ts";
import { turnStarts } from "./looks.ts";
import type { TokenAxis } from "./token-axis.tsx";

/** Height of the heads. */
export const HEADS = 18;

export function TurnHeads({
  episode,
  axis,
  height,
}: {
  episode: MethodEpisode;
  axis: TokenAxis;
  height: number;
}) {
  return turnStarts(episode).map((start, k) => (
    <g key={start}>
      {k > 0 && (
        <line
          x1={axis.x(start)}
          x2={axis.x(start)}
          y1={0}
          y2={height}
          stroke="var(--line-strong)"
          strokeDasharray="3 3"
        />
      )}
      <text x={axis.x(start) + 4} y={12} fontSize={12} fill="var(--muted)">
        Turn {k + 1}
      </text>
    </g>
  ));
}
