// The debug view of a world on a floor, from above. The agent never sees it.
import { memo, use } from "react";
import type { WorldTruth } from "../../core/types.ts";
import type { EnvSpec, FloorPlan, Footprint } from "../../envs/env.ts";
import type { FloorMap, GivenMark, MapMark, MapPlace, MapView } from "../../envs/floor-map.ts";
import { type Label, placeLabels, type TextPlace } from "../lib/place-labels.ts";
import type { FloorClaim } from "./beliefs.ts";

/** The map shows at least this far, in metres. */
const LEAST_RADIUS = 2;
/** Half of its side in the units of its drawing, without the edge. */
const HALF = 46;

/** A place that the agent claims, on the map: in a reply, or on a map that it has given. */
type ClaimMark = Omit<GivenMark, "ok"> & Pick<FloorClaim, "ok"> & { claim: FloorClaim["claim"] | "given" };

type LoadMap = NonNullable<EnvSpec["loadMap"]>;

const maps = new WeakMap<LoadMap, Promise<FloorMap>>();

/** What `load` loads, once. */
function loadedOnce(load: LoadMap): Promise<FloorMap> {
  const map = maps.get(load) ?? load();
  maps.set(load, map);
  return map;
}

/** The claims that give a place. */
const marksOf = (
  claims: readonly FloorClaim[],
  { claimedPlace, claimedTurn }: FloorMap,
  { onMap }: MapView,
): ClaimMark[] =>
  claims.flatMap((claim) => {
    const place = claimedPlace(claim.about, claim.words);
    return place ? [{ ...claim, ...onMap(place), turn: claimedTurn?.(claim.about, claim.words) }] : [];
  });

const words = ({ name, right, ahead, kind, turn }: MapMark): string => {
  const place = `${metres(ahead, "ahead", "back")}, ${metres(right, "to the right", "to the left")}`;
  const front = turn === undefined ? "" : `, facing ${FACING[turn / 90]}`;
  return `${name} ${place}${front}${kind === "unseen" ? ", not seen yet" : ""}`;
};

/** The ways that a front faces, clockwise from up, which is ahead. */
const FACING = ["ahead", "right", "back", "left"];

const CLAIMED = {
  observation: "stated",
  prediction: "predicted",
  given: "on the map that it gives",
} as const;

const claimWords = ({ claim, name, words, ok }: ClaimMark): string =>
  `${CLAIMED[claim]}: ${name} ${words}${ok === null ? "" : ok ? ", right" : claim === "given" ? ", not exact" : ", wrong"}`;

/** "1.5 m ahead": a distance along an axis, with a word for each of its two ways. */
const metres = (along: number, way: string, back: string): string =>
  `${Math.abs(along).toFixed(1)} m ${along < 0 ? back : way}`;

/** A recording may come from anywhere and have a target at the end of the world. */
const MOST_RINGS = 50;

interface WorldMapProps {
  /** Loads how the world is shown. */
  load: LoadMap;
  truth: WorldTruth;
  /** What is claimed about this state. */
  claims: readonly FloorClaim[];
  floor: FloorPlan | null;
  /** Which of several states it is, where a picture above does not say so. */
  title?: string;
}

/** A map of a world on a floor. */
export default function WorldMap({ load, truth, claims, floor, title }: WorldMapProps) {
  const map = use(loadedOnce(load));
  const view = map.show(truth);
  const { marks, onMap, agent, reach, caption } = view;
  const given = (view.given ?? []).map((mark) => ({ ...mark, claim: "given" as const }));
  const said = marksOf(claims, map, view);
  const claimed = [...said, ...given];
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
        {said.length > 0 && CLAIMS}
        {given.length > 0 && GIVEN}
      </p>
    </div>
  );
}

function MarkOf({ mark: { right, ahead, kind, turn }, scale }: { mark: MapMark; scale: number }) {
  const isUnseen = kind === "unseen";
  return (
    <g transform={`translate(${right * scale} ${-ahead * scale})`}>
      <Front turn={turn} from={1.6} look="stroke-muted" />
      <circle
        r={1.6}
        className={isUnseen ? "fill-panel stroke-muted" : colorOf(kind)}
        strokeWidth={isUnseen ? 0.6 : 0}
      />
    </g>
  );
}

/** A short line out of a mark, the way its front faces. */
function Front({ turn, from, look }: { turn: number | undefined; from: number; look: string }) {
  if (turn === undefined) return null;
  return (
    <line
      y1={-from}
      y2={-from - 2.2}
      transform={`rotate(${turn})`}
      className={look}
      strokeWidth={0.9}
      data-front
    />
  );
}

const colorOf = (kind: MapMark["kind"]): string => (kind === "target" ? "fill-accent" : "fill-muted");

const CLAIMS =
  " Squares mark places that the agent states, diamonds places that it predicts; dashed means wrong.";

const GIVEN = " Large rings are the map that the agent gives; dashed means not exact.";

/** Distance from a claim's place to the edge of its sign. A ring surrounds a square, and its front line begins outside the square's. */
const REACH = { observation: 2.6, prediction: 2.6, given: 4 } as const;

/** What is claimed. */
function ClaimOf({ mark: { claim, right, ahead, ok, turn }, scale }: { mark: ClaimMark; scale: number }) {
  return (
    <g
      transform={`translate(${right * scale} ${-ahead * scale})`}
      className={ok === null ? "text-text" : ok ? "text-ok" : "text-danger"}
    >
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth={0.7}
        strokeDasharray={ok === false ? "1.4 1" : undefined}
      >
        {claim === "given" ? (
          <circle r={REACH.given} />
        ) : (
          <rect
            {...{ x: -2.6, y: -2.6, width: 5.2, height: 5.2 }}
            transform={claim === "prediction" ? "rotate(45)" : undefined}
          />
        )}
      </g>
      <Front turn={turn} from={REACH[claim]} look="stroke-current" />
    </g>
  );
}

interface Name extends Label {
  look: string;
}

interface NamesProps {
  marks: readonly MapMark[];
  claimed: readonly ClaimMark[];
  scale: number;
}

/** The names on a map, not over each other. A right claim lies on its thing, whose name is there; a wrong one has a name of its own. */
function Names({ marks, claimed, scale }: NamesProps) {
  const names: Name[] = [
    ...marks.map(({ name, kind, turn, ...at }) => ({
      ...{ text: name, size: 4.2 },
      // Below a mark, a name would cover a front that faces down.
      places: placesBeside(at, scale, kind === "target" || turn === 180 ? ABOVE : BELOW),
      look: `${colorOf(kind)} ${kind === "target" ? "font-bold" : ""}`,
    })),
    ...claimed
      .filter(({ ok }) => ok === false)
      .map(({ claim, name, ...at }) => ({
        ...{ text: `${name} ✗`, size: 3.8 },
        places: placesBeside(at, scale, claim === "observation" ? BELOW : ABOVE),
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

const placesBeside = ({ right, ahead }: MapPlace, scale: number, baselines: readonly number[]): TextPlace[] =>
  baselines.map((y) => ({ x: right * scale, y: y - ahead * scale }));

/** From places on the floor, [x, z] in metres, to the drawing: the map turns and moves with the agent, its shapes stay. */
function matrixOf(onMap: MapView["onMap"], scale: number): string {
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
