// One icon to draw. Each drawing is compared with it, and may be improved on.
import { EnvError } from "../../core/errors.ts";
import { checkSeed, type Rng, rng } from "../../core/rng.ts";
import type { Frame, SceneTruth, WorldTruth } from "../../core/types.ts";
import type { Env, Motion, Picture, StepResult } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import { pictureSide } from "../square-picture.ts";
import { colorNote } from "./color-names.ts";
import { ACTIONS, type SvgConfig } from "./config.ts";
import { drawingText } from "./drawing.ts";
import { growthOf } from "./growth.ts";
import { drawFromSet, type SetName, type Split } from "./icon-set.ts";
import { drawIcon } from "./icons.ts";
import { mosaic } from "./mosaic.ts";
import { loadRaster, rasterise } from "./raster.ts";
import { drawingIn, readDrawing, type SafeDrawing } from "./sanitise.ts";
import {
  COMPARED_SIDE,
  compare,
  type Features,
  featuresOf,
  type Measures,
  weightedMean,
  weightedSum,
} from "./similarity.ts";
import { sharedStructure, structureOf } from "./structure.ts";

export { drawingIn, loadRaster };

/** A drawing, and what came of the comparison. */
interface Attempt {
  /** As the agent wrote it. */
  text: string;
  drawing: SafeDrawing;
  /** The picture that is compared with the icon. */
  picture: Frame;
  measures: Measures;
  /** Weighted mean of the measures. */
  similarity: number;
  /** VAGEN's structural score; absent where it is not paid. */
  structure?: number;
}

/** The icon, and what is compared of it. */
interface Target {
  text: string;
  drawing: SafeDrawing;
  features: Features;
  /** Its edges; absent where VAGEN's structural score is not paid. */
  structure?: Uint8Array;
}

interface Episode {
  target: Target;
  /** The latest drawing; null before the first. */
  attempt: Attempt | null;
  /** The highest score so far. */
  best: number;
  solved: boolean;
}

/** The code of a random icon. */
function iconOf({ icons, max_shapes, lattice }: SvgConfig, random: Rng): string {
  if (icons === "shapes") return drawingText(drawIcon(random, max_shapes, lattice));
  const [set, part] = icons.split("_") as [SetName, Split];
  return drawFromSet(random, part, set);
}

/** Seconds for which each picture of a drawing that grows is shown, and the most that all of them take. */
const SECONDS = { each: 0.4, most: 4 };

/** Drawing an icon in SVG. The rules are in `index.ts`. */
export class Svg implements Env {
  private episode: Episode | null = null;

  constructor(private readonly config: SvgConfig) {}

  reset(seed: number): void {
    checkSeed(seed);
    const text = iconOf(this.config, rng(seed).fork("icon"));
    const drawing = safe(text);
    const features = featuresOf(rasterise(drawing, COMPARED_SIDE));
    const structure = this.config.structural_weight > 0 && { structure: structureOf(drawing) };
    this.episode = {
      target: { text, drawing, features, ...structure },
      attempt: null,
      best: 0,
      solved: false,
    };
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(episode.solved);
    if (readAction(action) !== action) checkAction(action, ACTIONS);
    const { attempt: before } = episode;
    if (before?.text === action) return { reward: this.rewardFor(episode, before), ...NOTHING_NEW };
    const attempt = this.attempt(action, episode);
    // Other code may draw the same picture; it is kept, because claims are about it.
    const effective = !before || !isSamePicture(before.picture, attempt.picture);
    const solved = attempt.similarity >= this.config.success_similarity;
    const score = this.scoreOf(attempt);
    const reward = this.rewardFor(episode, attempt) + (solved ? this.config.success_reward : 0);
    this.episode = { ...episode, attempt, best: Math.max(episode.best, score), solved };
    return {
      reward,
      terminated: solved,
      success: solved,
      effective,
      note: [effective ? "" : SAME, colorNote(attempt.drawing)].filter(Boolean).join("; "),
    };
  }

  private attempt(text: string, { target }: Episode): Attempt {
    const drawing = safe(text);
    const picture = rasterise(drawing, COMPARED_SIDE);
    const measures = compare(target.features, featuresOf(picture));
    const structure = target.structure && {
      structure: sharedStructure(target.structure, structureOf(drawing)),
    };
    return {
      text,
      drawing,
      picture,
      measures,
      similarity: weightedMean(measures, this.config),
      ...structure,
    };
  }

  private scoreOf({ measures, structure = 0 }: Attempt): number {
    return weightedSum(measures, this.config) + this.config.structural_weight * structure;
  }

  private rewardFor({ best }: Episode, attempt: Attempt): number {
    const score = this.scoreOf(attempt);
    return this.config.paid === "every_drawing" ? score : Math.max(0, score - best);
  }

  /** The icon before the first drawing, and from then on the latest drawing. */
  render(patchPx: number): Frame {
    const { target, attempt } = started(this.episode);
    return picture(attempt?.drawing ?? target.drawing, patchPx, this.config);
  }

  /** With `show_target` the icon beside the drawing. */
  furtherPictures(): readonly Picture[] {
    const { target, attempt } = started(this.episode);
    const isShown = this.config.show_target && attempt !== null;
    return isShown ? [(patchPx) => picture(target.drawing, patchPx, this.config)] : [];
  }

  /** The shapes of a drawing and their subpaths, one after another. */
  motion(): Motion | null {
    const { attempt } = started(this.episode);
    return attempt && motionOf(growthOf(attempt.drawing), this.config);
  }

  /** The icon as 16 × 16 letters of the nearest colours, `.` for the paper; beside it the latest drawing. */
  text(): string {
    const { target, attempt } = started(this.episode);
    const [icon, own] = [target.drawing, attempt?.drawing].map((drawing) =>
      drawing ? mosaic(rasterise(drawing, COMPARED_SIDE)) : null,
    );
    return icon!.map((line, i) => (own ? `${line} ${own[i]}` : line)).join("\n");
  }

  groundTruth(): WorldTruth {
    const { target, attempt, solved } = started(this.episode);
    const drawn = attempt && { drawing: attempt.text, ...measuredOf(attempt) };
    return { frame: "canvas", things: [], facts: { icon: target.text, ...drawn, solved } };
  }

  oracle(): readonly string[] {
    const { target, solved } = started(this.episode);
    return solved ? [] : [target.text];
  }
}

const measuredOf = ({ similarity, measures, structure }: Attempt) => ({
  similarity,
  ...measures,
  ...(structure !== undefined && { structure }),
});

const isSamePicture = (one: Frame, other: Frame): boolean =>
  one.data.every((value, i) => value === other.data[i]);

const SAME = "the same drawing as before";
const NOTHING_NEW = { terminated: false, success: false, effective: false, note: SAME } as const;

/** Side of the pictures that people compare, in pixels. */
const VIEW_SIDE = 192;

/** Once there is a drawing: the icon, the drawing, and where the two differ. None for a recording whose drawings are refused. */
export function views({ facts }: SceneTruth): { title: string; frame: Frame }[] {
  if (facts?.drawing === undefined) return [];
  const drawings = [facts.icon, facts.drawing].map((code) => readDrawing(String(code)));
  const [icon, drawing] = drawings.flatMap((read) =>
    read && !("refused" in read) ? [rasterise(read, VIEW_SIDE)] : [],
  );
  if (!icon || !drawing) return [];
  return [
    { title: "Target", frame: icon },
    { title: "Drawing", frame: drawing },
    { title: "Difference", frame: differenceOf(icon, drawing) },
  ];
}

/** The picture of a drawing's code. @throws EnvError("invalid_action") for a drawing that is refused. */
export const pictureOf = (code: string, side: number): Frame => rasterise(safe(code), side);

/** How far the colours of two pictures are apart at each pixel: white where they are equal, black where a channel is opposite. */
function differenceOf(one: Frame, other: Frame): Frame {
  const apart = (i: number) => Math.abs(one.data[i]! - other.data[i]!);
  const data = one.data.map((_, i) => {
    const pixel = i - (i % 4);
    return i % 4 === 3 ? 255 : 255 - Math.max(apart(pixel), apart(pixel + 1), apart(pixel + 2));
  });
  return { ...one, data };
}

/** The drawing that an answer holds, if it may be drawn: from `<svg` to `</svg>`. */
export function readAction(text: string): string | null {
  const drawing = readDrawing(text);
  return drawing && !("refused" in drawing) ? drawingIn(text) : null;
}

/** Why an answer cannot be drawn; empty if it can. */
export function whyRefused(text: string): string {
  const drawing = readDrawing(text);
  if (!drawing) return "The answer has no <svg>…</svg>.";
  return "refused" in drawing ? drawing.refused : "";
}

/** @throws EnvError("invalid_action") for a drawing that is refused. */
function safe(text: string): SafeDrawing {
  const drawing = readDrawing(text);
  if (drawing && !("refused" in drawing)) return drawing;
  throw new EnvError("invalid_action", whyRefused(text), "Draw with plain shapes.");
}

const picture = (drawing: SafeDrawing, patchPx: number, { resolution }: SvgConfig): Frame =>
  rasterise(drawing, pictureSide(resolution, patchPx));

/** Drawings one after another, each for the same time. The latest picture is kept, because a page asks for one in every frame. */
function motionOf(drawings: readonly SafeDrawing[], config: SvgConfig): Motion {
  const seconds = Math.min(SECONDS.most, drawings.length * SECONDS.each);
  let latest: { drawing: SafeDrawing; patchPx: number; frame: Frame } | null = null;
  return {
    seconds,
    picture(second, patchPx) {
      const at = Math.min(drawings.length - 1, Math.floor((second / seconds) * drawings.length));
      const drawing = drawings[at]!;
      if (latest?.drawing !== drawing || latest.patchPx !== patchPx)
        latest = { drawing, patchPx, frame: picture(drawing, patchPx, config) };
      return latest.frame;
    },
  };
}
