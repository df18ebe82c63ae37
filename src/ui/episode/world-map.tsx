// The debug view of a world on a floor: a map around the agent, which looks up. The agent never sees it.
import type { Thing, WorldTruth } from "../../core/types.ts";

/** The map shows at least this far, in metres. */
const LEAST_RADIUS = 2;
/** Half of its side in the units of its drawing, without the edge. */
const HALF = 46;

interface Marked {
  name: string;
  /** Metres to the right and ahead. */
  right: number;
  ahead: number;
  isTarget: boolean;
}

const numberIn = ({ facts }: WorldTruth, name: string): number => Number(facts?.[name] ?? 0);

/** The target and the things in view, as seen from the agent. */
function marksOf(truth: WorldTruth): Marked[] {
  const yaw = (numberIn(truth, "yaw") * Math.PI) / 180;
  const place = ([x = 0, z = 0]: readonly number[]) => {
    const [dx, dz] = [x - numberIn(truth, "x"), z - numberIn(truth, "z")];
    return {
      ahead: dx * Math.sin(yaw) + dz * Math.cos(yaw),
      right: dx * Math.cos(yaw) - dz * Math.sin(yaw),
    };
  };
  const target: Thing = {
    name: String(truth.facts?.target),
    at: [numberIn(truth, "target_x"), numberIn(truth, "target_z")],
  };
  const others = truth.things.filter(({ name }) => name !== target.name);
  return [target, ...others].map(({ name, at }, i) => ({ name, ...place(at), isTarget: i === 0 }));
}

/** A map of the target and of what is in view. Circles are a metre apart; the dashed one is where the task is solved. */
export default function WorldMap({ truth }: { truth: WorldTruth }) {
  const marks = marksOf(truth);
  const farthest = Math.max(LEAST_RADIUS, ...marks.map(({ right, ahead }) => Math.hypot(right, ahead)));
  const scale = HALF / (farthest * 1.15);
  const target = marks[0]!;
  const rings = Array.from({ length: Math.floor(farthest * 1.15) }, (_, i) => i + 1);
  return (
    <svg
      viewBox="-50 -50 100 100"
      className="mt-1.5 w-full rounded-lg border border-line bg-panel"
      role="img"
      aria-label={`Map from above. ${marks.map(({ name, right, ahead }) => `${name} ${ahead.toFixed(1)} m ahead, ${right.toFixed(1)} m to the right`).join("; ")}.`}
      data-testid="world-map"
    >
      {rings.map((metres) => (
        <circle key={metres} r={metres * scale} fill="none" className="stroke-line" strokeWidth={0.4} />
      ))}
      <circle
        cx={target.right * scale}
        cy={-target.ahead * scale}
        r={numberIn(truth, "reach") * scale}
        className="fill-accent/10 stroke-accent"
        strokeWidth={0.5}
        strokeDasharray="2 1.5"
      />
      <path d="M0 -4.5 L3.2 3.6 L0 1.8 L-3.2 3.6 Z" className="fill-text" />
      {marks.map(({ name, right, ahead, isTarget }) => (
        <g key={`${name} ${right} ${ahead}`} transform={`translate(${right * scale} ${-ahead * scale})`}>
          <circle r={1.6} className={isTarget ? "fill-accent" : "fill-muted"} />
          <text
            // What lies beside the target is named below its dot.
            y={isTarget ? -3 : 6}
            fontSize={4.2}
            fontWeight={isTarget ? 700 : 400}
            textAnchor="middle"
            className={isTarget ? "fill-accent" : "fill-muted"}
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
