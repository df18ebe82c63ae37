// One episode of SpatialGym: look round a room, then answer.
import { NOTHING } from "../../core/empty-view.ts";
import { EnvError } from "../../core/errors.ts";
import { counted } from "../../core/format.ts";
import { checkSeed } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import type { Env, FloorPlan, Picture, StepResult } from "../env.ts";
import { checkRunning, started } from "../grid.ts";
import { floorPlanOf } from "../navigation/floor-plan.ts";
import { squaredDistanceTo } from "../navigation/plan.ts";
import { cameraAlong, GRID, tangentOf } from "../navigation/pose.ts";
import { drawThrough, lookThrough, type View } from "../navigation/view.ts";
import { copyOf, PATCH, pictureSide } from "../square-picture.ts";
import { type Action, actionText, read, readAction, whyUnknown } from "./actions.ts";
import { type SpatialTruth, viewLines, writeObjects } from "./claims.ts";
import { EXAMPLES, type SpatialGymConfig } from "./config.ts";
import { ALONG, type Pose, rotated } from "./heading.ts";
import { type Level, type LevelObject, levelOf, SHOWS_FROM } from "./level.ts";
import { facingOf, mapScore, readEntry } from "./map.ts";
import { hasFront } from "./objects.ts";
import { isPassive, scriptText } from "./passive.ts";
import { scriptOf } from "./script.ts";
import { looksFor, withThose } from "./search.ts";

export { hungAt } from "./hanging.ts";
export { readAction, whyUnknown };

interface Episode {
  level: Level;
  pose: Pose;
  /** Where the agent looked last. */
  look: Pose;
  /** What it saw there; null until it is drawn. */
  view: View | null;
  /** Where a scripted exploration looked from besides the start; none where the agent explores. */
  further: readonly Pose[];
  /** Names of the objects that have been in view, in the order of the level. */
  seen: readonly string[];
  /** Names of the objects that are known to show from a pose. */
  shown: Map<string, readonly string[]>;
  observations: number;
  /** How the exploration ended, if it did. */
  exploration: "open" | "terminated" | "used up";
  /** The answer; empty before it. */
  given: string;
  success: boolean;
}

/** What an action leads to; what it leaves out stays as it is. */
interface Outcome extends Partial<Episode> {
  reward?: number;
  /** Why it had no effect, or did not succeed. */
  note?: string;
}

/** What a map loses when the observations were used up, of the map reward: VAGEN's −2 of 10. */
const USED_UP = 0.2;

/** A search for where things are. The rules are in `index.ts`. */
export class SpatialGym implements Env {
  private episode: Episode | null = null;
  private readonly tangent: number;

  constructor(private readonly config: SpatialGymConfig) {
    this.tangent = tangentOf(config.fov);
  }

  reset(seed: number): void {
    checkSeed(seed);
    const level = levelOf(seed, { ...this.config, tangent: this.tangent });
    const { start } = level;
    const from = { level, pose: start, look: start, view: null, further: [], seen: [], shown: new Map() };
    this.episode = { ...from, observations: 0, exploration: "open", given: "", success: false };
    this.remember();
    if (isPassive(this.config)) this.runScript();
  }

  /** A scripted exploration, which is over when the agent begins. */
  private runScript(): void {
    const episode = started(this.episode);
    const { objects, question } = episode.level;
    const shownFrom = (pose: Pose) => this.shownFrom(pose);
    const { poses, beside } = scriptOf(episode.level, this.config, shownFrom);
    const text = `${scriptText(beside)}; ${question.text}`;
    const seen = withThose([], poses.flatMap(shownFrom), objects);
    const level = { ...episode.level, question: { ...question, text } };
    this.episode = { ...episode, level, seen, further: poses.slice(1), exploration: "terminated" };
  }

  floorPlan(): FloorPlan {
    return floorPlanOf(started(this.episode).level.home);
  }

  /** The picture of the last observation, drawn once, because the truth is read from it as well. */
  private view(): View {
    const episode = started(this.episode);
    episode.view ??= this.viewFrom(episode.look);
    return episode.view;
  }

  private viewFrom(pose: Pose): View {
    return lookThrough(started(this.episode).level.home, this.camera(pose), this.config.resolution);
  }

  private camera({ x, z, heading }: Pose) {
    return cameraAlong({ x, z, tilt: 0 }, ALONG[heading], this.tangent);
  }

  /** The objects that a look from a pose shows, nearest first. */
  private visibleFrom(pose: Pose): LevelObject[] {
    const distance = (object: LevelObject) => squaredDistanceTo(object, pose.x, pose.z);
    const names = this.shownFrom(pose);
    const shown = started(this.episode).level.objects.filter(({ name }) => names.includes(name));
    return shown.sort((a, b) => distance(a) - distance(b));
  }

  /** Names of the objects of the task that a view shows, in their order. */
  private namesIn({ pixels }: View): string[] {
    const least = SHOWS_FROM * this.config.resolution ** 2;
    const { objects } = started(this.episode).level;
    return objects.filter(({ index }) => pixels[index] >= least).map(({ name }) => name);
  }

  private remember(): void {
    const episode = started(this.episode);
    episode.seen = withThose(episode.seen, this.shownFrom(episode.look), episode.level.objects);
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(episode.given !== "");
    const { reward = 0, note = "", ...change } = this.outcome(episode, known(action));
    const effective = Object.keys(change).length > 0;
    if (effective) this.episode = { ...episode, ...change };
    if (change.look) this.remember();
    const { given, success } = started(this.episode);
    return { reward, terminated: given !== "", success, effective, note };
  }

  private outcome(episode: Episode, action: Action): Outcome {
    if (action.name === "Answer") return this.answered(episode, action.word);
    if (action.name === "Map") return this.mapped(episode, action.parts);
    if (episode.exploration !== "open") return { note: "the exploration has ended; only the answer is left" };
    switch (action.name) {
      case "Rotate":
        if (action.degrees === 0) return {};
        return { pose: { ...episode.pose, heading: rotated(episode.pose.heading, action.degrees) } };
      case "Term":
        return { exploration: "terminated" };
      case "JumpTo":
        return jumped(episode, action.object);
      case "Observe":
        return this.observed(episode);
    }
  }

  private observed({ pose, observations }: Episode): Outcome {
    const isLast = observations + 1 >= this.config.max_exp_steps;
    return {
      look: pose,
      view: null,
      observations: observations + 1,
      // Plus 0: -0 is 0.
      reward: 0 - this.config.observe_cost,
      ...(isLast && { exploration: "used up" }),
    };
  }

  private answered({ level: { question } }: Episode, word: string): Outcome {
    const { options } = question;
    if (options.length === 0) return { note: "a map is asked for: Map(…)" };
    if (!options.includes(word)) return { note: `answer with ${options.join(" or ")}` };
    const success = word === question.answer;
    const note = success ? "" : `wrong: the answer is "${question.answer}"`;
    return { given: word, success, reward: success ? this.config.success_reward : 0, note };
  }

  private mapped({ level, exploration, seen }: Episode, parts: readonly string[]): Outcome {
    const { options, answer } = level.question;
    if (options.length > 0) return { note: `a question is asked: Answer(${options.join(" or ")})` };
    const score = scoreOf(parts, level, seen.length);
    const success = score > this.config.map_success;
    const paid = score - (exploration === "used up" ? USED_UP : 0);
    const wrong = [...faults(parts, level), `the map's score is ${score.toFixed(2)}; right is ${answer}`];
    const note = success ? "" : wrong.join("; ");
    return { given: parts.join("; "), success, reward: paid * this.config.map_reward, note };
  }

  /** The view of the last observation. Its picture has patches of 8 pixels; larger ones show the same view in more detail. */
  render(patchPx: number): Frame {
    const { level, look } = started(this.episode);
    if (patchPx === PATCH) return copyOf(this.view().frame);
    return drawThrough(level.home, this.camera(look), pictureSide(this.config.resolution, patchPx));
  }

  /** The other views of a scripted exploration. */
  furtherPictures(): readonly Picture[] {
    const { level, further } = started(this.episode);
    const { resolution } = this.config;
    return further.map((pose) => {
      const camera = this.camera(pose);
      return (patchPx) => drawThrough(level.home, camera, pictureSide(resolution, patchPx));
    });
  }

  /**
   * The objects in view, nearest first, a line each; or "nothing". Where a map is asked for, also which way their fronts face. The views of a
   * scripted exploration have an empty line between them.
   */
  text(): string {
    const { look, further } = started(this.episode);
    const viewText = (pose: Pose) => viewLines(this.truthFrom(pose)).join("\n") || NOTHING;
    return [look, ...further].map(viewText).join("\n\n");
  }

  groundTruth(): SpatialTruth {
    return this.truthFrom(started(this.episode).look);
  }

  /** The truth, had the latest look been from this pose. */
  private truthFrom(look: Pose): SpatialTruth {
    const { level, pose, seen, observations, exploration, given, success } = started(this.episode);
    const origin = originOf(level);
    const { text, options, answer } = level.question;
    return {
      frame: "floor",
      things: this.visibleFrom(look).map(({ name, x, z }) => ({ name, at: [x / 100, z / 100] })),
      facts: {
        question: text,
        options: options.join(" "),
        answer,
        given,
        success,
        exploring: exploration === "open" && given === "",
        observations,
        most: this.config.max_exp_steps,
        ...standpoint(pose),
        start_x: level.start.x / 10,
        start_z: level.start.z / 10,
        start_yaw: level.start.heading * 45,
        look_x: look.x / 10,
        look_z: look.z / 10,
        look_yaw: look.heading * 45,
        seen: seen.join(" "),
        objects: writeObjects(
          level.objects.map((object) => ({
            name: object.name,
            at: [object.x / 100, object.z / 100],
            beside: [object.beside.x / 10, object.beside.z / 10],
            ...(hasFront(object) && { facing: facingOf(object, origin) }),
          })),
        ),
      },
    };
  }

  /** The objects and the question, which stay the same throughout the episode. */
  question(): string {
    return started(this.episode).level.question.text;
  }

  /** The right answer, which can be given at any time; null after a wrong one. A map first needs looks that make it a success. */
  oracle(): readonly string[] | null {
    const { given, success, level } = started(this.episode);
    if (given !== "") return success ? [] : null;
    const { options, answer } = level.question;
    return options.length > 0 ? [`Answer(${answer})`] : this.mapPlan(answer);
  }

  /** The fewest looks after which the right map is a success, and the map; null if no looks in quarters of a turn lead there, or too few are left. */
  private mapPlan(answer: string): string[] | null {
    const { level, pose, exploration, observations, seen } = started(this.episode);
    const looks = exploration === "open" ? this.config.max_exp_steps - observations : 0;
    const parts = answer.split("; ");
    const isEnough = (count: number) => scoreOf(parts, level, count) > this.config.map_success;
    const most = level.objects.length;
    if (!isEnough(most)) return null;
    const count = Array.from({ length: most }, (_, i) => i).find(isEnough) ?? most;
    const plan = looksFor(count, { pose, seen, looks }, level.objects, (from) => this.shownFrom(from));
    return plan && [...plan, `Map(${answer})`];
  }

  /** Names of the objects that a look from a pose shows. Plans and texts look from the same few poses again and again. */
  private shownFrom(pose: Pose): readonly string[] {
    const { shown, look } = started(this.episode);
    const key = keyOf(pose);
    const names = shown.get(key) ?? this.namesIn(key === keyOf(look) ? this.view() : this.viewFrom(pose));
    shown.set(key, names);
    return names;
  }
}

/** @throws EnvError("invalid_action") for anything but the exact text of an action. */
function known(text: string): Action {
  const reading = read(text);
  if ("action" in reading && actionText(reading.action) === text) return reading.action;
  throw new EnvError(
    "invalid_action",
    `"${text}" is not an action.`,
    `Use one of: ${EXAMPLES.join(", ")}, or others of their kind.`,
  );
}

const keyOf = ({ x, z, heading }: Pose): string => `${x} ${z} ${heading}`;

/** In metres, which are tenths, and degrees. */
const standpoint = ({ x, z, heading }: Pose) => ({ x: x / 10, z: z / 10, yaw: heading * 45 });

const originOf = ({ start: { x, z, heading } }: Level) => ({
  x: x * GRID,
  z: z * GRID,
  turn: (heading / 2) as 0 | 1 | 2 | 3,
});

function jumped({ level, pose, seen }: Episode, name: string): Outcome {
  const object = level.objects.find((one) => one.name === name);
  if (!object)
    return { note: `the ${name} is not one of the ${counted(level.objects.length, "object")} of this task` };
  if (!seen.includes(name)) return { note: `the ${name} has not been seen yet` };
  const { x, z } = object.beside;
  if (x === pose.x && z === pose.z) return { note: `already beside the ${name}` };
  return { pose: { ...pose, x, z } };
}

/** The score of the parts of a map, after so many of the objects have been seen. */
const scoreOf = (parts: readonly string[], level: Level, seen: number): number =>
  mapScore(
    parts.flatMap((part) => readEntry(part) ?? []),
    { objects: level.objects, start: originOf(level), seen },
  );

/** What is wrong with the parts of a map. */
function faults(parts: readonly string[], { objects }: Level): string[] {
  const names = objects.map(({ name }) => name);
  return parts.flatMap((part) => {
    const entry = readEntry(part);
    if (!entry) return [`"${part}" cannot be read`];
    return names.includes(entry.name) ? [] : [`the ${entry.name} is not one of the objects`];
  });
}
