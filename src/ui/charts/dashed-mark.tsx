// A dashed line in a legend.
import { DASHED_WIDTH } from "./legend.ts";

/** Of the drawing. The line in its middle is not cut off where the drawing begins between two pixels of the screen. */
const HEIGHT = 8;

/** A piece of the line that shows its dashes. `color` is a CSS variable of the palette. */
export const DashedMark = ({ color, dash }: { color: string; dash: string }) => (
  <svg
    width={DASHED_WIDTH}
    height={HEIGHT}
    className="inline-block flex-none align-baseline"
    aria-hidden="true"
  >
    <path
      d={`M0 ${HEIGHT / 2}h${DASHED_WIDTH}`}
      stroke={`var(${color})`}
      strokeWidth={2}
      strokeDasharray={dash}
    />
  </svg>
);
