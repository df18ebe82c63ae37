// The debug view of a world on a floor, from above. The agent never sees it.
import { memo } from "react";
import { formatFixed } from "../../core/format.ts";
import type { WorldTruth } from "../../core/types.ts";
import type { FloorPlan, Footprint } from "../../envs/env.ts";
import { asNavigation, claimedPlace, targetSeen } from "../../envs/navigation/claims.ts";
import {
  asSpatial,
  claimedPlace as claimedInRoom,
  objectsIn,
  type SpatialTruth,
  seenIn,
} from "../../envs/spatial-gym/claims.ts";
import { type Label, placeLabels, type TextPlace } from "../lib/place-labels.ts";
import type { FloorClaim } from "./beliefs.ts";

/** The map shows at least this far, in metres. */
const LEAST_RADIUS = 2;
/** Half of its side in the units of its drawing, without the edge. */
const HALF = 46;

interface Mark {
  name: string;
  /** Metres to the right and ahead of the middle of the map. */
  right: number;
  ahead: number;
  kind: "target" | "seen" | "unseen";
}

/** A place that the agent claims, in metres from the middle of the map. */
interface ClaimMark extends FloorClaim {
  right: number;
  ahead: number;
}

/** What a map shows around its middle, which looks up. */
interface Plan {
  marks: readonly Mark[];
  claimed: readonly ClaimMark[];
  /** Where a place of the floor lies on the map. */
  onMap: ReturnType<typeof seenFrom>;
  /** Where the agent is, and how far it is turned clockwise, in degrees. */
  agent: { right: number; ahead: number; turn: number };
  /** Metres from the target at which the task is solved. */
  reach: number;
  caption: string;
}

const numberIn = ({ facts }: WorldTruth, name: string): number => Number(facts?.[name] ?? 0);

/** Places as seen from a standpoint in the truth: that of its facts `x`, `z` and `yaw`, behind a prefix. */
function seenFrom(truth: WorldTruth, prefix: "" | "start_") {
  const yaw = (numberIn(truth, `${prefix}yaw`) * Math.PI) / 180;
  return ([x = 0, z = 0]: readonly number[]) => {
    const [dx, dz] = [x - numberIn(truth, `${prefix}x`), z - numberIn(truth, `${prefix}z`)];
    return {
      ahead: dx * Math.sin(yaw) + dz * Math.cos(yaw),
      right: dx * Math.cos(yaw) - dz * Math.sin(yaw),
    };
  };
}

/** The claims that give a place, where a map has it. */
const marksOf = (
  claims: readonly FloorClaim[],
  placeOf: (about: WorldTruth, words: string) => readonly number[] | null,
  onMap: ReturnType<typeof seenFrom>,
): ClaimMark[] =>
  claims.flatMap((claim) => {
    const place = placeOf(claim.about, claim.words);
    return place ? [{ ...claim, ...onMap(place) }] : [];
  });

/** The target and the things in view, around the agent. */
function planOfWalk(truth: WorldTruth, claims: readonly FloorClaim[]): Plan {
  const place = seenFrom(truth, "");
  const name = String(truth.facts?.target);
  const target = place([numberIn(truth, "target_x"), numberIn(truth, "target_z")]);
  const others = truth.things
    .filter((thing) => thing.name !== name)
    .map((thing): Mark => ({ name: thing.name, ...place(thing.at), kind: "seen" }));
  return {
    marks: [{ name, ...target, kind: "target" }, ...others],
    claimed: marksOf(claims, (about, words) => claimedPlace(asNavigation(about), words), place),
    onMap: place,
    agent: { right: 0, ahead: 0, turn: 0 },
    reach: numberIn(truth, "reach"),
    caption: `From above, around the agent. The ${name} is ${whereIs(truth)}. Circles are a metre apart; the dashed one is where the task is solved.`,
  };
}

/** "2.51 m away, to the right". */
function whereIs(truth: WorldTruth): string {
  const { direction, distance } = targetSeen(asNavigation(truth));
  const words = { ahead: "ahead", right: "to the right", back: "behind", left: "to the left" } as const;
  return `${formatFixed(distance, 2)}\u00a0m away, ${words[direction]}`;
}

/** The objects of the task and the agent, around the start. */
function planOfRoom(truth: SpatialTruth, claims: readonly FloorClaim[]): Plan {
  const place = seenFrom(truth, "start_");
  const seen = seenIn(truth);
  return {
    marks: objectsIn(truth).map(({ name, at }) => ({
      ...{ name, ...place(at) },
      kind: seen.includes(name) ? "seen" : "unseen",
    })),
    claimed: marksOf(claims, (about, words) => claimedInRoom(asSpatial(about), words), place),
    onMap: place,
    agent: { ...place([truth.facts.x, truth.facts.z]), turn: truth.facts.yaw - truth.facts.start_yaw },
    reach: 0,
    caption: "From above, around the start, which looks up. Circles are a metre apart; hollow: not seen yet.",
  };
}

const planOf = (truth: WorldTruth, claims: readonly FloorClaim[]): Plan =>
  truth.facts?.target === undefined ? planOfRoom(asSpatial(truth), claims) : planOfWalk(truth, claims);

const words = ({ name, right, ahead, kind }: Mark): string =>
  `${name} ${metres(ahead, "ahead", "back")}, ${metres(right, "to the right", "to the left")}${kind === "unseen" ? ", not seen yet" : ""}`;

const claimWords = ({ claim, name, words, ok }: ClaimMark): string =>
  `${claim === "prediction" ? "predicted" : "stated"}: ${name} ${words}${ok === null ? "" : ok ? ", right" : ", wrong"}`;

/** "1.5 m ahead": a distance along an axis, with a word for each of its two ways. */
const metres = (along: number, way: string, back: string): string =>
  `${Math.abs(along).toFixed(1)} m ${along < 0 ? back : way}`;

/** A recording may come from anywhere and have a target at the end of the world. */
const MOST_RINGS = 50;

interface WorldMapProps {
  truth: WorldTruth;
  /** What is claimed about this state. */
  claims: readonly FloorClaim[];
  floor: FloorPlan | null;
  /** Which of several states it is, where a picture above does not say so. */
  title?: string;
}

/** A map of a world on a floor. */
export default function WorldMap({ truth, claims, floor, title }: WorldMapProps) {
  const { marks, claimed, onMap, agent, reach, caption } = planOf(truth, claims);
  const distances = [...marks, ...claimed, agent].map(({ right, ahead }) => Math.hypot(right, ahead));
  const farthest = Math.max(LEAST_RADIUS, ...distances);
  const scale = HALF / (farthest * 1.15);
  const rings = Array.from({ length: Math.min(MOST_RINGS, Math.floor(farthest * 1.15)) }, (_, i) => i + 1);
  return (
    <div>
      {title && <h3 className="text-caption font-semibold">{title}</h3>}
      <svg
        viewBox="-50 -50 100 100"
        className="mt-1.5 w-full rounded-lg border border-line bg-panel"
        role="img"
        aria-label={`Map from above. ${[...marks.map(words), ...claimed.map(claimWords)].join("; ")}.`}
        data-testid="world-map"
      >
        {floor && (
          <g transform={matrixOf(onMap, scale)}>
            <Floor floor={floor} />
          </g>
        )}
        {rings.map((metres) => (
          <circle key={metres} r={metres * scale} fill="none" className="stroke-line" strokeWidth={0.4} />
        ))}
        {reach > 0 && (
          <circle
            cx={marks[0]!.right * scale}
            cy={-marks[0]!.ahead * scale}
            r={reach * scale}
            className="fill-accent/10 stroke-accent"
            strokeWidth={0.5}
            strokeDasharray="2 1.5"
          />
        )}
        <path
          d="M0 -4.5 L3.2 3.6 L0 1.8 L-3.2 3.6 Z"
          transform={`translate(${agent.right * scale} ${-agent.ahead * scale}) rotate(${agent.turn})`}
          className="fill-text"
        />
        {marks.map((mark) => (
          <MarkOf key={`${mark.name} ${mark.right} ${mark.ahead}`} mark={mark} scale={scale} />
        ))}
        {claimed.map((mark, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two claims may be equal in everything
          <ClaimOf key={i} mark={mark} scale={scale} />
        ))}
        <Names marks={marks} claimed={claimed} scale={scale} />
      </svg>
      <p className="mt-1 text-caption text-muted">
        {caption}
        {claimed.length > 0 && CLAIMS}
      </p>
    </div>
  );
}

function MarkOf({ mark: { right, ahead, kind }, scale }: { mark: Mark; scale: number }) {
  const isUnseen = kind === "unseen";
  return (
    <circle
      cx={right * scale}
      cy={-ahead * scale}
      r={1.6}
      className={isUnseen ? "fill-panel stroke-muted" : colorOf(kind)}
      strokeWidth={isUnseen ? 0.6 : 0}
    />
  );
}

const colorOf = (kind: Mark["kind"]): string => (kind === "target" ? "fill-accent" : "fill-muted");

const CLAIMS =
  " Squares mark places that the agent states, diamonds places that it predicts; dashed means wrong.";

/** What is claimed. */
function ClaimOf({ mark: { claim, right, ahead, ok }, scale }: { mark: ClaimMark; scale: number }) {
  return (
    <g
      transform={`translate(${right * scale} ${-ahead * scale})`}
      className={ok === null ? "text-text" : ok ? "text-ok" : "text-danger"}
    >
      <rect
        {...{ x: -2.6, y: -2.6, width: 5.2, height: 5.2 }}
        transform={claim === "prediction" ? "rotate(45)" : undefined}
        fill="none"
        stroke="currentColor"
        strokeWidth={0.7}
        strokeDasharray={ok === false ? "1.4 1" : undefined}
      />
    </g>
  );
}

interface Name extends Label {
  look: string;
}

interface NamesProps {
  marks: readonly Mark[];
  claimed: readonly ClaimMark[];
  scale: number;
}

/** The names on a map, not over each other. A right claim lies on its thing, whose name is there; a wrong one has a name of its own. */
function Names({ marks, claimed, scale }: NamesProps) {
  const names: Name[] = [
    ...marks.map(({ name, kind, ...at }) => ({
      ...{ text: name, size: 4.2, places: placesBeside(at, scale, kind === "target" ? ABOVE : BELOW) },
      look: `${colorOf(kind)} ${kind === "target" ? "font-bold" : ""}`,
    })),
    ...claimed
      .filter(({ ok }) => ok === false)
      .map(({ claim, name, ...at }) => ({
        ...{ text: `${name} ✗`, size: 3.8 },
        places: placesBeside(at, scale, claim === "prediction" ? ABOVE : BELOW),
        look: "fill-danger",
      })),
  ];
  const places = placeLabels(names, { x: -50, y: -50, width: 100, height: 100 });
  return names.map(({ text, size, look }, i) => (
    <text
      // biome-ignore lint/suspicious/noArrayIndexKey: two claims may be equal in everything
      key={i}
      {...places[i]}
      fontSize={size}
      textAnchor="middle"
      className={`${look} stroke-panel`}
      strokeWidth={0.9}
      paintOrder="stroke"
    >
      {text}
    </text>
  ));
}

/** Baselines relative to a mark, the preferred one first: beside it, and a line or two farther away. */
const ABOVE = [-3, 6, -7.5, 10.5, -12, 15];
const BELOW = [6, -3, 10.5, -7.5, 15, -12];

const placesBeside = (
  { right, ahead }: Pick<Mark, "right" | "ahead">,
  scale: number,
  baselines: readonly number[],
): TextPlace[] => baselines.map((y) => ({ x: right * scale, y: y - ahead * scale }));

/** From places on the floor, [x, z] in metres, to the drawing: the map turns and moves with the agent, its shapes stay. */
function matrixOf(onMap: Plan["onMap"], scale: number): string {
  const [origin, alongX, alongZ] = [onMap([0, 0]), onMap([1, 0]), onMap([0, 1])];
  const columns = [
    ...[alongX.right - origin.right, origin.ahead - alongX.ahead],
    ...[alongZ.right - origin.right, origin.ahead - alongZ.ahead],
    ...[origin.right, -origin.ahead],
  ];
  return `matrix(${columns.map((value) => (value * scale).toFixed(4)).join(" ")})`;
}

/** Rooms with their walls, passages between them, and what stands in the way, in metres. */
const Floor = memo(function Floor({ floor: { rooms, openings, things } }: { floor: FloorPlan }) {
  return (
    <g data-testid="floor">
      <Shapes shapes={rooms} look="fill-surface stroke-line-strong" width={3} />
      <Shapes shapes={openings.map(cornersOf)} look="fill-surface" width={0} />
      <Shapes shapes={things.map(cornersOf)} look="fill-line stroke-line-strong" width={1} />
    </g>
  );
});

interface ShapesProps {
  shapes: readonly (readonly (readonly number[])[])[];
  look: string;
  /** Of their lines, in pixels. */
  width: number;
}

const Shapes = ({ shapes, look, width }: ShapesProps) =>
  shapes.map((corners, i) => (
    <polygon
      // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of a floor never change
      key={i}
      points={corners.map(([x, z]) => `${x},${z}`).join(" ")}
      className={look}
      strokeWidth={width}
      vectorEffect="non-scaling-stroke"
    />
  ));

const cornersOf = ([x0, z0, x1, z1]: Footprint) => [
  [x0, z0],
  [x1, z0],
  [x1, z1],
  [x0, z1],
];
