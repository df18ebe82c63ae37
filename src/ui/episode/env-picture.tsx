// A state of the environment as a picture. In the agent view nothing is drawn that the policy could not see; the debug
// view adds coordinates and what the agent claimed, and says so.
import { lazy, Suspense } from "react";
import { isBoard } from "../../core/scene.ts";
import type { BoardTruth, Frame, SceneTruth } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import type { PictureView } from "../store/ui-store.ts";
import { type FloorClaim, type Ghost, rasterOf } from "./beliefs.ts";
import { describeTruth, sentenceOf } from "./describe-truth.ts";
import { FrameCanvas } from "./frame-canvas.tsx";
import { ModelThumbnail } from "./model-thumbnail.tsx";

interface EnvPictureProps {
  frame: Frame;
  /** What the model receives, shown small in the corner; null where it is the same or not known. */
  seen: Frame | null;
  /** The size of the picture that it lies in, where a run has larger ones; in pixels. */
  within?: { width: number; height: number } | null;
  truth: SceneTruth;
  title: string;
  view: PictureView;
  ghosts?: readonly Ghost[];
  /** What is claimed about this state, for a map. */
  claims?: readonly FloorClaim[];
  /** The floor that it lies on, for a map. */
  floor?: FloorPlan | null;
}

export function EnvPicture(props: EnvPictureProps) {
  const { frame, seen, within, truth, title, view, ghosts = [], claims = [], floor = null } = props;
  const debug = view === "debug";
  return (
    <figure className="m-0">
      <div className="relative overflow-hidden rounded-lg border border-line" data-testid="environment">
        <FrameCanvas
          frame={frame}
          label={`${title}. ${describeTruth(truth)}`}
          pixelated={frame.width < 128}
        />
        {debug && <Debug truth={truth} ghosts={ghosts} />}
      </div>
      <TaskSentence truth={truth} />
      <ComparisonOf truth={truth} />
      {debug && <MapOf truth={truth} claims={claims} floor={floor} />}
      <figcaption className="mt-1.5 flex items-center gap-2 text-caption text-muted">
        {seen && <ModelThumbnail frame={seen} />}
        <span>
          {debug
            ? "Coordinates and outlines are not visible to the agent."
            : seen
              ? `The model receives ${seen.width} × ${seen.height} pixels${within ? `, in a corner of ${within.width} × ${within.height}` : ""}.`
              : ""}
        </span>
      </figcaption>
    </figure>
  );
}

interface MapOfProps {
  truth: SceneTruth;
  claims: readonly FloorClaim[];
  floor: FloorPlan | null;
  title?: string;
}

/** A map of a world on a floor; nothing for others. */
export const MapOf = ({ truth, claims, floor, title = "" }: MapOfProps) =>
  !isBoard(truth) &&
  truth.frame === "floor" && (
    <Suspense>
      <WorldMap truth={truth} claims={claims} floor={floor} title={title} />
    </Suspense>
  );

/** What is drawn, the drawing, and where they differ; nothing for states that are no drawings. */
export const ComparisonOf = ({ truth, title = "" }: { truth: SceneTruth; title?: string }) =>
  !isBoard(truth) &&
  truth.frame === "canvas" && (
    <Suspense>
      <DrawingComparison truth={truth} title={title} />
    </Suspense>
  );

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
  const { rows, cols } = rasterOf(truth);
  return (
    <svg
      viewBox={`0 0 ${cols} ${rows}`}
      className="pointer-events-none absolute inset-0 size-full"
      aria-hidden="true"
    >
      {isBoard(truth) && <Coordinates truth={truth} />}
      {ghosts.map((ghost) => (
        <GhostOutline key={`${ghost.name} ${ghost.box.x} ${ghost.box.y}`} ghost={ghost} />
      ))}
    </svg>
  );
}

/** Sizes of text in cells: the usual one, and the largest, which leaves room for the picture. */
const TEXT = { usual: 0.15, largest: 0.3 };
/** Text on a picture is at least this large, in px, where there is room. */
const READABLE_PX = 10;

/** Width of the light outline of text, relative to its size: walls and figures are dark. */
const HALO = 0.25;

/** Whether text of that size, in cells, can be read; where it cannot, the numbers of the cells are left out. */
export const isReadable = (size: number, cols: number, width: number): boolean =>
  width === 0 || (size * width) / cols >= READABLE_PX - 1;

/** How large text on a picture of `cols` cells is, in cells; `width` is that of the picture, in px, 0 while it is not known. */
export const labelSize = (cols: number, width: number): number =>
  width === 0 ? TEXT.usual : Math.max(TEXT.usual, Math.min(TEXT.largest, (READABLE_PX * cols) / width));

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
      strokeWidth={HALO * size}
      paintOrder="stroke"
      pointerEvents="none"
    >
      {row},{col}
    </text>
  ));
}

/**
 * A white line under a coloured one, dashed where the claim is wrong, with the name of what is claimed. Within an SVG whose
 * unit is a cell.
 */
export function GhostOutline({
  ghost: { name, box: place, ok },
  isJudged = true,
  isLit = false,
  size = TEXT.usual,
}: {
  ghost: Ghost;
  /** Whether it is known by now that the claim is right or wrong. */
  isJudged?: boolean;
  /** Whether the claim is pointed at. */
  isLit?: boolean;
  /** Of the text, in cells. */
  size?: number;
}) {
  const { x, y, width, height } = place;
  const box = { x: x + 0.06, y: y + 0.06, width: width - 0.12, height: height - 0.12, rx: 0.1 };
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
        strokeDasharray={isJudged && !ok ? "0.12 0.08" : ""}
      />
      <text
        x={x + width / 2}
        y={y + height - 0.14}
        fontSize={size}
        fontWeight={600}
        textAnchor="middle"
        fill="#16202b"
        stroke="#ffffff"
        strokeWidth={HALO * size}
        paintOrder="stroke"
      >
        {name} {isJudged && (ok ? "✓" : "✗")}
      </text>
    </g>
  );
}
