// One episode of SpatialGym: look round a room, then answer.
import { EnvError } from "../../core/errors.ts";
import { counted } from "../../core/format.ts";
import { checkSeed } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import { checkRunning, started } from "../grid.ts";
import { cameraAlong, GRID, tangentOf } from "../navigation/pose.ts";
import { drawThrough, lookThrough, type View } from "../navigation/view.ts";
import { type Action, actionText, read, readAction, whyUnknown } from "./actions.ts";
import { NOTHING, type SpatialTruth, visibleWords, writeObjects } from "./claims.ts";
import { EXAMPLES, type SpatialGymConfig } from "./config.ts";
import { ALONG, type Pose, rotated } from "./heading.ts";
import { drawLevel, type Level, type LevelObject, SHOWS_FROM } from "./level.ts";
import { compareMap, mapScore, readEntry } from "./map.ts";

export { readAction, whyUnknown };

interface Episode {
  level: Level;
  pose: Pose;
  /** Where the agent looked last. */
  look: Pose;
  /** What it saw there; null until it is drawn. */
  view: View | null;
  /** Names of the objects that have been in view, in the order of the level. */
  seen: readonly string[];
  /** Those of them that had been in view before the last action. */
  known: readonly string[];
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

/** Side of a patch of the agent's picture, in pixels. */
const PATCH = 8;
/** Largest side of a picture, in pixels. */
const LARGEST_PICTURE = 2048;
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
    const level = drawLevel(seed, { ...this.config, tangent: this.tangent });
    const { start } = level;
    const from = { level, pose: start, look: start, view: null, seen: [], known: [] };
    this.episode = { ...from, observations: 0, exploration: "open", given: "", success: false };
    this.remember();
    this.episode.known = this.episode.seen;
  }

  /** The picture of the last observation, drawn once, because the truth is read from it as well. */
  private view(): View {
    const episode = started(this.episode);
    episode.view ??= lookThrough(episode.level.home, this.camera(episode.look), this.config.resolution);
    return episode.view;
  }

  private camera({ x, z, heading }: Pose) {
    return cameraAlong({ x, z, tilt: 0 }, ALONG[heading], this.tangent);
  }

  /** The objects in view, nearest first. */
  private visible(): LevelObject[] {
    const { level, look } = started(this.episode);
    const { pixels } = this.view();
    const least = SHOWS_FROM * this.config.resolution ** 2;
    const distance = ({ x, z }: LevelObject) => (x - look.x * GRID) ** 2 + (z - look.z * GRID) ** 2;
    return level.objects
      .filter(({ index }) => pixels[index] >= least)
      .sort((a, b) => distance(a) - distance(b));
  }

  private remember(): void {
    const episode = started(this.episode);
    const inView = this.visible().map(({ name }) => name);
    episode.seen = episode.level.objects
      .map(({ name }) => name)
      .filter((name) => episode.seen.includes(name) || inView.includes(name));
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(episode.given !== "");
    const { reward = 0, note = "", ...change } = this.outcome(episode, known(action));
    const effective = Object.keys(change).length > 0;
    if (effective) this.episode = { ...episode, ...change, known: episode.seen };
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
    if (question.options.length === 0) return { note: "a map is asked for: Map(…)" };
    const success = word === question.answer;
    const note = success ? "" : `wrong: the answer is "${question.answer}"`;
    return { given: word, success, reward: success ? this.config.success_reward : 0, note };
  }

  private mapped({ level, exploration, seen }: Episode, parts: readonly string[]): Outcome {
    const { options, answer } = level.question;
    if (options.length > 0) return { note: `a question is asked: Answer(${options.join(" or ")})` };
    const entries = parts.flatMap((part) => readEntry(part) ?? []);
    const compared = compareMap(entries, level.objects, originOf(level));
    const score = mapScore({ ...compared, coverage: seen.length / level.objects.length });
    const success = score > this.config.map_success;
    const paid = score - (exploration === "used up" ? USED_UP : 0);
    const note = [
      ...faults(parts, level),
      ...(success ? [] : [`the map's score is ${score.toFixed(2)}; right is ${answer}`]),
    ];
    return { given: parts.join("; "), success, reward: paid * this.config.map_reward, note: note.join("; ") };
  }

  /** The view of the last observation. Its picture has patches of 8 pixels; larger ones show the same view in more detail. */
  render(patchPx: number): Frame {
    const { level, look } = started(this.episode);
    if (patchPx === PATCH) return copyOf(this.view().frame);
    const size = (this.config.resolution / PATCH) * patchPx;
    if (Number.isInteger(patchPx) && patchPx >= 1 && size <= LARGEST_PICTURE)
      return drawThrough(level.home, this.camera(look), size);
    throw new EnvError(
      "invalid_config",
      `patchPx is ${patchPx}; no patch can have that size.`,
      `Use a whole number of pixels from 1 to ${Math.floor((LARGEST_PICTURE * PATCH) / this.config.resolution)}.`,
    );
  }

  /** The objects in view, nearest first, a line each; or "nothing". */
  text(): string {
    return visibleWords(this.groundTruth()).join("\n") || NOTHING;
  }

  groundTruth(): SpatialTruth {
    const { level, pose, look, seen, known, observations, exploration, given, success } = started(
      this.episode,
    );
    const { text, options, answer } = level.question;
    return {
      frame: "floor",
      things: this.visible().map(({ name, x, z }) => ({ name, at: [x / 100, z / 100] })),
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
        known: known.join(" "),
        objects: writeObjects(
          level.objects.map(({ name, x, z, beside }) => ({
            name,
            at: [x / 100, z / 100],
            beside: [beside.x / 10, beside.z / 10],
          })),
        ),
      },
    };
  }

  /** The objects and the question, which stay the same throughout the episode. */
  question(): string {
    return started(this.episode).level.question.text;
  }

  /** The right answer, which can be given at any time; null after a wrong one. */
  oracle(): readonly string[] | null {
    const { given, success, level } = started(this.episode);
    if (given !== "") return success ? [] : null;
    const { options, answer } = level.question;
    return [options.length > 0 ? `Answer(${answer})` : `Map(${answer})`];
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

/** A picture that may be written on. */
const copyOf = ({ width, height, data }: Frame): Frame => ({ width, height, data: data.slice() });

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
    return { note: `the ${name} is none of the ${counted(level.objects.length, "object")} of this task` };
  if (!seen.includes(name)) return { note: `the ${name} has not been seen yet` };
  const { x, z } = object.beside;
  if (x === pose.x && z === pose.z) return { note: `already beside the ${name}` };
  return { pose: { ...pose, x, z } };
}

/** What is wrong with the parts of a map. */
function faults(parts: readonly string[], { objects }: Level): string[] {
  const names = objects.map(({ name }) => name);
  return parts.flatMap((part) => {
    const entry = readEntry(part);
    if (!entry) return [`"${part}" cannot be read`];
    return names.includes(entry.name) ? [] : [`the ${entry.name} is none of the objects`];
  });
}
