// A state of the environment as a picture. In the agent view nothing is drawn that the policy could not see; the debug
// view adds coordinates and what the agent claimed, and says so.
import { lazy, type ReactNode, Suspense } from "react";
import { isBoard } from "../../core/scene.ts";
import type { BoardTruth, Frame, SceneTruth } from "../../core/types.ts";
import type { EnvSpec, FloorPlan } from "../../envs/env.ts";
import { envs } from "../../envs/registry.ts";
import { ScrollRegion } from "../components/controls.tsx";
import { useWidth } from "../components/use-size.ts";
import { placeLabels, type TextPlace } from "../lib/place-labels.ts";
import type { PictureView } from "../store/ui-store.ts";
import { type FloorClaim, type Ghost, ghostKey, rasterOf } from "./beliefs.ts";
import { describeTruth, sentenceOf } from "./describe-truth.ts";
import { FrameCanvas } from "./frame-canvas.tsx";
import { FurtherPictures } from "./further-pictures.tsx";
import { ModelThumbnails, receivedText } from "./model-thumbnail.tsx";
import { PictureName } from "./picture-name.tsx";

interface EnvPictureProps {
  /** The environment of the state. */
  envId: string;
  frame: Frame;
  /** The pictures that the agent is shown beside it. */
  further: readonly Frame[];
  /** What the model receives, shown small below; none where it is the same or not known. */
  seen: readonly Frame[];
  /** What the policy reads in place of a picture, as a sentence. */
  reads?: string;
  /** The text that it reads. */
  text?: string;
  /** The heading of that text, if it is from another moment than the picture. */
  textTitle?: string;
  /** The size of the picture that it lies in, where a run has larger ones; in pixels. */
  within?: { width: number; height: number } | null;
  truth: SceneTruth;
  /** The state whose drawing is compared, if not this one. */
  compared?: SceneTruth | undefined;
  title: string;
  view: PictureView;
  /** What chooses another moment, in sight of the picture: right below it. */
  turns?: ReactNode;
  /** Draws how the state came about in place of `frame`. @param label what the picture shows, in words */
  moving?: ((label: string) => ReactNode) | undefined;
  ghosts?: readonly Ghost[];
  /** What is claimed about this state, for a map. */
  claims?: readonly FloorClaim[];
  /** The floor that it lies on, for a map. */
  floor?: FloorPlan | null;
}

export function EnvPicture(props: EnvPictureProps) {
  const { envId, frame, further, seen, within, truth, title, view, turns, moving } = props;
  const { reads = "", text = "", textTitle = "What the policy reads" } = props;
  const { ghosts = [], claims = [], floor = null } = props;
  const debug = view === "debug";
  const label = `${title}. ${describeTruth(envId, truth)}`;
  const still = <FrameCanvas frame={frame} label={label} pixelated={frame.width < 128} />;
  return (
    <figure className="m-0">
      <PictureName envId={envId} truth={truth} />
      <div
        className="picture relative overflow-hidden rounded-lg border border-line"
        data-testid="environment"
      >
        {moving ? <Suspense fallback={still}>{moving(label)}</Suspense> : still}
        {debug && <Debug truth={truth} ghosts={ghosts} />}
      </div>
      {turns}
      <TaskSentence truth={truth} />
      <FurtherPictures envId={envId} frames={further} />
      <ComparisonOf envId={envId} truth={props.compared ?? truth} />
      {debug && <MapOf envId={envId} truth={truth} claims={claims} floor={floor} />}
      <figcaption className="mt-1.5 flex items-center gap-2 text-caption text-muted">
        <ModelThumbnails frames={seen} />
        <span>
          {debug
            ? debugCaption(envId, truth, ghosts)
            : seen.length > 0
              ? `${receivedText(seen)}${within ? `, in a corner of ${within.width} × ${within.height}` : ""}.`
              : reads}
        </span>
      </figcaption>
      {text !== "" && !debug && <ReadText of={title} title={textTitle} text={text} />}
    </figure>
  );
}

/** What a policy reads in place of the picture `of` that people see. */
function ReadText({ of, title, text }: { of: string; title: string; text: string }) {
  return (
    <>
      <p className="mt-2 text-caption font-semibold">{title}</p>
      <ScrollRegion name={`${title}: ${of}`} className="mt-1 max-h-60 rounded bg-panel p-2">
        <pre className="text-caption whitespace-pre-wrap">{text}</pre>
      </ScrollRegion>
    </>
  );
}

/** What the debug view adds. Where a world has no map, that is only what a reply claims. */
const debugCaption = (envId: string, truth: SceneTruth, ghosts: readonly Ghost[]): string =>
  isBoard(truth) || mapLoader(envId) || ghosts.length > 0
    ? "Coordinates and outlines are not visible to the agent."
    : "The debug view outlines the places that a reply claims. None is claimed here.";

/** Undefined for an environment that has no map, or is not known here. */
const mapLoader = (envId: string): EnvSpec["loadMap"] => envs.all.find(({ id }) => id === envId)?.loadMap;

interface MapOfProps {
  /** The environment of the state. */
  envId: string;
  truth: SceneTruth;
  claims: readonly FloorClaim[];
  floor: FloorPlan | null;
  title?: string;
}

/** A map of a world that has one; nothing for others. */
export function MapOf({ envId, truth, ...props }: MapOfProps) {
  const load = mapLoader(envId);
  return (
    !isBoard(truth) &&
    load && (
      <Suspense fallback={<EmptyMap />}>
        <WorldMap load={load} truth={truth} {...props} />
      </Suspense>
    )
  );
}

/** Keeps the place of a map while it loads, so that what lies below it hardly moves. */
const EmptyMap = () => (
  <div aria-busy>
    <div className="skeleton mt-1.5 aspect-square rounded-lg" />
    <p className="mt-1 text-caption">&nbsp;</p>
  </div>
);

interface ComparisonOfProps {
  /** The environment of the state. */
  envId: string;
  truth: SceneTruth;
  title?: string;
  /** The drawing as it comes about, where what is drawn is on the page already. */
  moving?: ReactNode;
}

/** What is drawn, the drawing, and where they differ; nothing for environments in which nothing is drawn. */
export function ComparisonOf({ envId, truth, title = "", moving }: ComparisonOfProps) {
  const drawings = envs.all.find(({ id }) => id === envId)?.drawings;
  return (
    drawings && (
      <Suspense>
        <DrawingComparison envId={envId} drawings={drawings} truth={truth} title={title} moving={moving} />
      </Suspense>
    )
  );
}

// Few pages show maps or drawings.
const WorldMap = lazy(() => import("./world-map.tsx"));
const DrawingComparison = lazy(() => import("./drawing-comparison.tsx"));

/** The question or the instruction of a state, if it has one. */
export function TaskSentence({ truth }: { truth: SceneTruth }) {
  const sentence = sentenceOf(truth);
  return (
    sentence && (
      <p className="mt-1.5 text-dense font-semibold" data-testid="question">
        {sentence}
      </p>
    )
  );
}

/** Row and column numbers, and an outline for each claimed place. */
function Debug({ truth, ghosts }: { truth: SceneTruth; ghosts: readonly Ghost[] }) {
  const [place, width] = useWidth<HTMLDivElement>();
  const { rows, cols } = rasterOf(truth);
  const size = labelSize(cols, width);
  return (
    <div ref={place} className="pointer-events-none absolute inset-0">
      <svg viewBox={`0 0 ${cols} ${rows}`} className="size-full" aria-hidden="true">
        {ghosts.map((ghost) => (
          <GhostOutline key={ghostKey(ghost)} ghost={ghost} />
        ))}
        {isBoard(truth) && isReadable(size, cols, width) && <Coordinates truth={truth} size={size} />}
        <GhostLabels ghosts={ghosts} truth={truth} size={labelSize(cols, width, truth)} />
      </svg>
    </div>
  );
}

/** Sizes of text in cells: the usual one, and the largest, which leaves room for a cell's picture; patches of a world are smaller. */
const TEXT = { usual: 0.15, largest: 0.3, largestInWorld: 0.5 };
/** Text on a picture is at least this large, in px, where there is room. */
const READABLE_PX = 10;

/** Width of the light outline of text, relative to its size: walls and figures are dark, and names may cross the line of an outline. */
const HALO = { usual: 0.25, ofName: 0.6 };

/** Whether text of that size, in cells, can be read; where it cannot, the numbers of the cells are left out. */
export const isReadable = (size: number, cols: number, width: number): boolean =>
  width === 0 || (size * width) / cols >= READABLE_PX - 1;

/**
 * How large text on a picture of `cols` cells is, in cells; `width` is that of the picture, in px, 0 while it is not known. Names of things
 * in a world may be larger, because they do not stand in a cell.
 */
export function labelSize(cols: number, width: number, truth?: SceneTruth): number {
  if (width === 0) return TEXT.usual;
  const largest = truth && !isBoard(truth) ? TEXT.largestInWorld : TEXT.largest;
  return Math.max(TEXT.usual, Math.min(largest, (READABLE_PX * cols) / width));
}

/** Row and column of every cell. Within an SVG whose unit is a cell. */
export function Coordinates({
  truth: { rows, cols },
  size = TEXT.usual,
}: {
  truth: BoardTruth;
  /** Of the text, in cells. */
  size?: number;
}) {
  const cells = Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols] as const);
  return cells.map(([row, col]) => (
    <text
      key={`${row} ${col}`}
      x={col + 0.04}
      y={row + 0.02 + size}
      fontSize={size}
      fill="#16202b"
      stroke="#ffffff"
      strokeWidth={HALO.usual * size}
      paintOrder="stroke"
      pointerEvents="none"
    >
      {row},{col}
    </text>
  ));
}

/** How far an outline lies within its place, in cells. */
const INSET = 0.06;

/** A white line under a coloured one, dashed where the claim is wrong. Within an SVG whose unit is a cell. */
export function GhostOutline({
  ghost: { name, box: place, ok, hasNoOutline },
  isLit = false,
}: {
  ghost: Ghost;
  /** Whether the claim is pointed at. */
  isLit?: boolean;
}) {
  if (hasNoOutline) return null;
  const { x, y, width, height } = place;
  // What the edge of the picture cuts can be narrower than the inset.
  const [dx, dy] = [Math.min(INSET, width / 4), Math.min(INSET, height / 4)];
  const box = { x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy, rx: 0.1 };
  const color = name === "player" ? "#450b4b" : "#084aa9";
  return (
    <g>
      <rect {...box} fill="none" stroke="#ffffff" strokeWidth={isLit ? 0.16 : 0.1} />
      <rect
        {...box}
        fill={color}
        fillOpacity={isLit ? 0.22 : 0}
        stroke={color}
        strokeWidth={isLit ? 0.09 : 0.055}
        strokeDasharray={ok === false ? "0.12 0.08" : ""}
      />
    </g>
  );
}

interface GhostLabelsProps {
  ghosts: readonly Ghost[];
  truth: SceneTruth;
  /** Of the text, in cells. */
  size: number;
}

/** The names of what is claimed, over all outlines and not over each other. Within an SVG whose unit is a cell. */
export function GhostLabels({ ghosts, truth, size }: GhostLabelsProps) {
  const { rows, cols } = rasterOf(truth);
  const labels = ghosts.map(({ name, label = name, box, ok }) => ({
    text: ok === null ? label : `${label} ${ok ? "✓" : "✗"}`,
    size,
    places: isBoard(truth) ? placesInCell(box, size) : placesAround(box, size),
  }));
  const places = placeLabels(labels, { x: 0, y: 0, width: cols, height: rows });
  return labels.map(({ text }, i) => (
    <text
      key={ghostKey(ghosts[i]!)}
      {...places[i]}
      fontSize={size}
      fontWeight={600}
      textAnchor="middle"
      fill="#16202b"
      stroke="#ffffff"
      strokeWidth={HALO.ofName * size}
      strokeLinejoin="round"
      paintOrder="stroke"
      pointerEvents="none"
    >
      {text}
    </text>
  ));
}

/** A line of text, relative to the size of its font. */
const LINE = 1.2;

/** At the bottom of a cell, or above what stands there. */
function placesInCell({ x, y, width, height }: Ghost["box"], size: number): TextPlace[] {
  const [middle, bottom] = [x + width / 2, y + height - 0.14];
  return [0, 1, 2].map((line) => ({ x: middle, y: bottom - line * LINE * size }));
}

/** Below a box, above it, a line farther away on both sides, and within it. */
function placesAround({ x, y, width, height }: Ghost["box"], size: number): TextPlace[] {
  const [middle, below, above] = [x + width / 2, y + height + size, y - 0.4 * size];
  const line = LINE * size;
  return [below, above, below + line, above - line, y + height - 0.4 * size, y + size].map((at) => ({
    x: middle,
    y: at,
  }));
}
