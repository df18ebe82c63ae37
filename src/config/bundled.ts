// The policies that ship with the studio, and which configurations each of them can start. A test holds this list against
// the files in public/checkpoints.
import { getPath } from "./changes.ts";
import { countedTurns, entryConfig, entryNames, envIdsOf, furtherEntries, MAX_TURNS } from "./entries.ts";
import type { RunConfig } from "./run-config.ts";

type Needs = Readonly<Record<string, unknown>>;

export interface BundledCheckpoint {
  id: string;
  title: string;
  /** Values that a configuration must have to start from it: observations, reply format and model. */
  needs: Needs;
  /** The only levels that it is the best player of, if it was trained on levels of its own; it can start on any. */
  levels?: Needs;
  /** Of a policy of several environments: the same of each further one. */
  further?: readonly Needs[];
  /** Turns that its vocabulary has words for. */
  turns?: number;
  /** Of a policy after SFT: its run began with the weights of another one, so no single SFT from random weights made it. */
  continued?: true;
}

const LAKE = {
  "env.name": "frozenlake",
  "env.config.size": 4,
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "grounding_worldmodeling",
};
const ROOM = {
  "env.name": "sokoban",
  "env.config.dim_room": [6, 6],
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "grounding_worldmodeling",
};
const LONG = { "env.config.min_solution_steps": [6, 9] };
const HOME = {
  "env.name": "navigation",
  "env.config.resolution": 64,
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "grounding_worldmodeling",
};
/** What is in view, as a list. */
const WALK = {
  "env.name": "navigation",
  "env.config.render_mode": "text",
  "rollout.prompt_format": "grounding_worldmodeling",
};
/** The objects in view as words, and a question about the direction of one. */
const BEARING = {
  "env.name": "spatial-gym",
  "env.config.task": "direction",
  "env.config.render_mode": "text",
  "rollout.prompt_format": "grounding",
};
const TWO_ROOMS = { "env.config.rooms": 2 };
const TABLE = {
  "env.name": "primitive-skill",
  "env.config.resolution": 64,
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "grounding_worldmodeling",
};
/** The places of two cubes as text; the task is to move them onto a line. */
const LINE = {
  "env.name": "primitive-skill",
  "env.config.env_id": "AlignTwoCube",
  "env.config.render_mode": "text",
  "rollout.prompt_format": "grounding",
};
const ROOMS = { ...HOME, "env.name": "spatial-gym" };
const MAPS = { ...ROOMS, "env.config.task": "map" };
const CARDS = {
  "env.name": "blackjack",
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "free_think",
};
const QUESTIONS = {
  "env.name": "visual-math",
  "env.config.grid_size": 4,
  "env.config.tools": true,
  "env.config.render_mode": "vision",
  "rollout.workflow": "vagen",
  "rollout.prompt_format": "boxed",
};
const HARD_COUNTS = { "env.config.questions": ["count", "length"], "env.config.difficulty": "hard" };
const CANVAS = {
  "env.name": "svg",
  "env.config.resolution": 64,
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "grounding",
};
const SMALL_ICONS = { ...CANVAS, "env.config.resolution": 32 };
const ONE_SHAPE = { "env.config.max_shapes": 1 };
/** A run with a separate critic can start from them, too: its backbone begins as a copy of the policy's. */
const COMMON = {
  "model.num_hidden_layers": 2,
  "model.num_attention_heads": 2,
  "model.num_key_value_heads": 2,
  "model.rope_theta": 2000,
  "model.tie_word_embeddings": false,
};
const TILES = { "model.vision_layers": 0, "model.pixel_shuffle": 1 };
const VIEWS = {
  "model.vision_layers": 2,
  "model.vision_hidden_size": 64,
  "model.vision_heads": 2,
  "model.pixel_shuffle": 2,
};
const NANO_SIZES = { "model.hidden_size": 32, "model.intermediate_size": 80 };
const NANO = { ...COMMON, ...TILES, ...NANO_SIZES };
/** Twice as many heads, which find the words of a list sooner. */
const NARROW_HEADS = { "model.num_attention_heads": 4, "model.num_key_value_heads": 4 };
const NANO_LISTS = { ...NANO, ...NARROW_HEADS };
const SMALL_SIZES = { "model.hidden_size": 64, "model.intermediate_size": 176 };
const SMALL = { ...COMMON, ...TILES, ...SMALL_SIZES };
const SMALL_LISTS = { ...SMALL, ...NARROW_HEADS };
const SMALL_VIEWS = { ...COMMON, ...VIEWS, ...SMALL_SIZES };
/** One token for every patch, because drawings need exact places. */
const EVERY_PATCH = { "model.pixel_shuffle": 1 };
const SMALL_CANVAS = { ...SMALL_VIEWS, ...EVERY_PATCH };
const NANO_CANVAS = { ...COMMON, ...VIEWS, ...EVERY_PATCH, ...NANO_SIZES };

const HOME_TURNS = 6;
/** Two rooms take about as many. */
const TWO_ROOM_TURNS = 10;

export const BUNDLED: readonly BundledCheckpoint[] = [
  { id: "frozenlake-nano-warmup", title: "FrozenLake nano, after SFT", needs: { ...LAKE, ...NANO } },
  { id: "frozenlake-nano-trained", title: "FrozenLake nano, trained", needs: { ...LAKE, ...NANO } },
  { id: "frozenlake-small-warmup", title: "FrozenLake small, after SFT", needs: { ...LAKE, ...SMALL } },
  { id: "frozenlake-small-trained", title: "FrozenLake small, trained", needs: { ...LAKE, ...SMALL } },
  { id: "sokoban-nano-warmup", title: "Sokoban nano, after SFT", needs: { ...ROOM, ...NANO } },
  { id: "sokoban-nano-trained", title: "Sokoban nano, trained", needs: { ...ROOM, ...NANO } },
  { id: "sokoban-small-warmup", title: "Sokoban small, after SFT", needs: { ...ROOM, ...SMALL } },
  { id: "sokoban-small-trained", title: "Sokoban small, trained", needs: { ...ROOM, ...SMALL } },
  {
    id: "sokoban-long-small-warmup",
    title: "Sokoban small, long levels, after SFT",
    needs: { ...ROOM, ...SMALL },
    levels: LONG,
    continued: true,
  },
  {
    id: "sokoban-long-small-trained",
    title: "Sokoban small, long levels, trained",
    needs: { ...ROOM, ...SMALL },
    levels: LONG,
  },
  {
    id: "navigation-text-nano-warmup",
    title: "Navigation text nano, after SFT",
    needs: { ...WALK, ...NANO_LISTS },
    turns: HOME_TURNS,
  },
  {
    id: "navigation-text-nano-trained",
    title: "Navigation text nano, trained",
    needs: { ...WALK, ...NANO_LISTS },
    turns: HOME_TURNS,
  },
  {
    id: "navigation-text-small-warmup",
    title: "Navigation text small, after SFT",
    needs: { ...WALK, ...SMALL_LISTS },
    turns: HOME_TURNS,
    continued: true,
  },
  {
    id: "navigation-text-small-trained",
    title: "Navigation text small, trained",
    needs: { ...WALK, ...SMALL_LISTS },
    turns: HOME_TURNS,
  },
  {
    id: "navigation-small-warmup",
    title: "Navigation small, after SFT",
    needs: { ...HOME, ...SMALL_VIEWS },
    turns: HOME_TURNS,
    continued: true,
  },
  {
    id: "navigation-small-trained",
    title: "Navigation small, trained",
    needs: { ...HOME, ...SMALL_VIEWS },
    turns: HOME_TURNS,
  },
  {
    id: "visual-math-nano-warmup",
    title: "Visual math nano, after SFT",
    needs: { ...QUESTIONS, ...NANO },
    levels: HARD_COUNTS,
  },
  {
    id: "visual-math-nano-trained",
    title: "Visual math nano, trained",
    needs: { ...QUESTIONS, ...NANO },
    levels: HARD_COUNTS,
  },
  { id: "blackjack-nano-warmup", title: "Blackjack nano, after SFT", needs: { ...CARDS, ...NANO } },
  { id: "blackjack-nano-trained", title: "Blackjack nano, trained", needs: { ...CARDS, ...NANO } },
  {
    id: "svg-small-warmup",
    title: "SVG small, after SFT",
    needs: { ...CANVAS, ...SMALL_CANVAS },
    continued: true,
  },
  { id: "svg-small-trained", title: "SVG small, trained", needs: { ...CANVAS, ...SMALL_CANVAS } },
  {
    id: "svg-nano-warmup",
    title: "SVG nano, after SFT",
    needs: { ...SMALL_ICONS, ...NANO_CANVAS },
    levels: ONE_SHAPE,
  },
  {
    id: "svg-nano-trained",
    title: "SVG nano, trained",
    needs: { ...SMALL_ICONS, ...NANO_CANVAS },
    levels: ONE_SHAPE,
  },
  {
    id: "spatial-gym-text-nano-warmup",
    title: "SpatialGym text nano, after SFT",
    needs: { ...BEARING, ...NANO_LISTS },
  },
  {
    id: "spatial-gym-text-nano-trained",
    title: "SpatialGym text nano, trained",
    needs: { ...BEARING, ...NANO_LISTS },
  },
  {
    id: "spatial-gym-rooms-text-nano-warmup",
    title: "SpatialGym rooms text nano, after SFT",
    needs: { ...BEARING, ...NANO_LISTS },
    levels: TWO_ROOMS,
    turns: TWO_ROOM_TURNS,
    continued: true,
  },
  {
    id: "spatial-gym-rooms-text-nano-trained",
    title: "SpatialGym rooms text nano, trained",
    needs: { ...BEARING, ...NANO_LISTS },
    levels: TWO_ROOMS,
    turns: TWO_ROOM_TURNS,
  },
  {
    id: "spatial-gym-small-warmup",
    title: "SpatialGym small, after SFT",
    needs: { ...ROOMS, ...SMALL_VIEWS },
    continued: true,
  },
  {
    id: "spatial-gym-small-trained",
    title: "SpatialGym small, trained",
    needs: { ...ROOMS, ...SMALL_VIEWS },
  },
  {
    id: "spatial-gym-map-small-warmup",
    title: "SpatialGym map small, after SFT",
    needs: { ...MAPS, ...SMALL_VIEWS },
    continued: true,
  },
  {
    id: "spatial-gym-map-small-trained",
    title: "SpatialGym map small, trained",
    needs: { ...MAPS, ...SMALL_VIEWS },
  },
  {
    id: "three-tasks-small-warmup",
    title: "Three tasks small, after SFT",
    needs: { ...LAKE, ...SMALL_VIEWS },
    further: [ROOM, HOME],
    turns: HOME_TURNS,
    continued: true,
  },
  {
    id: "three-tasks-small-trained",
    title: "Three tasks small, trained",
    needs: { ...LAKE, ...SMALL_VIEWS },
    further: [ROOM, HOME],
    turns: HOME_TURNS,
  },
  {
    id: "primitive-skill-nano-warmup",
    title: "PrimitiveSkill nano, after SFT",
    needs: { ...LINE, ...NANO },
  },
  {
    id: "primitive-skill-nano-trained",
    title: "PrimitiveSkill nano, trained",
    needs: { ...LINE, ...NANO },
  },
  {
    id: "primitive-skill-small-warmup",
    title: "PrimitiveSkill small, after SFT",
    needs: { ...TABLE, ...SMALL_VIEWS },
    continued: true,
  },
  {
    id: "primitive-skill-small-novice",
    title: "PrimitiveSkill small, novice",
    needs: { ...TABLE, ...SMALL_VIEWS },
    continued: true,
  },
  {
    id: "primitive-skill-small-trained",
    title: "PrimitiveSkill small, trained",
    needs: { ...TABLE, ...SMALL_VIEWS },
  },
];

/** The setting of decoder layers. */
export const DECODER_LAYERS = "model.num_hidden_layers";

export interface Misfit {
  path: string;
  needed: unknown;
  /** In a run in several environments, the names of those that have another value. */
  entries?: readonly string[];
}

/** Whether a configuration has the value of a path. */
const isMet = ([path, value]: readonly [string, unknown], config: object): boolean =>
  JSON.stringify(getPath(config, path)) === JSON.stringify(value);

/** Whether a run has what a checkpoint needs: the value itself, or more decoder layers where the run may add some. */
function isFitFor([path, needed]: readonly [string, unknown], config: RunConfig): boolean {
  if (isMet([path, needed], config)) return true;
  const { model, trainer } = config;
  const addsLayers = path === DECODER_LAYERS && trainer.init_layers === "fewer";
  return addsLayers && Number(needed) < model.num_hidden_layers;
}

/** The values of an environment that a checkpoint needs. */
const ofEnvironment = (needs: Needs) => Object.entries(needs).filter(([path]) => path.startsWith("env."));

/** Whether an environment is what a checkpoint needs. */
const isPlayedBy = (needs: Needs, { env }: Pick<RunConfig, "env">): boolean =>
  ofEnvironment(needs).every((need) => isMet(need, { env }));

/**
 * How unlike the levels of an environment are to those that a policy was trained on: the number of options that differ, or if none does, the
 * lower the more of them were its own.
 */
export function unlikeLevels({ needs, levels }: BundledCheckpoint, { env }: Pick<RunConfig, "env">): number {
  const own = ofEnvironment({ ...needs, ...levels });
  const unmet = own.filter((need) => !isMet(need, { env })).length;
  return unmet || -own.length;
}

function firstUnmet(needs: readonly (readonly [string, unknown])[], config: RunConfig): Misfit | null {
  const found = needs.find((need) => !isFitFor(need, config));
  return found ? { path: found[0], needed: found[1] } : null;
}

/** The first value that keeps a configuration from starting from this checkpoint; null when it fits. */
export function misfit(checkpoint: BundledCheckpoint, config: RunConfig): Misfit | null {
  const needs = Object.entries(checkpoint.needs);
  // With other words, only the model decides; whether pictures have its size, the file says when it is read.
  if (config.trainer.init_vocabulary === "shared")
    return firstUnmet(
      needs.filter(([path]) => path.startsWith("model.")),
      config,
    );
  return (
    otherTasks(checkpoint, config) ??
    firstUnmet(needs, config) ??
    otherEntry(checkpoint, config) ??
    // Checkpoints older than the setting describe states in words.
    firstUnmet([["rollout.state_format", "natural"]], config) ??
    otherTurns(checkpoint, config)
  );
}

/** The bundled policy that a configuration starts from and does not fit, with the value that keeps it from that; null otherwise. */
export function unfitStart(config: RunConfig): { checkpoint: BundledCheckpoint; misfit: Misfit } | null {
  const checkpoint = BUNDLED.find(({ id }) => id === config.trainer.init_checkpoint);
  const found = checkpoint && misfit(checkpoint, config);
  return found ? { checkpoint, misfit: found } : null;
}

/** Other environments have words of their own, and may have larger pictures: a checkpoint needs exactly those that it was trained in. */
function otherTasks({ needs, further = [] }: BundledCheckpoint, config: RunConfig): Misfit | null {
  const trained = [...new Set([needs, ...further].map((one) => one["env.name"] as string))];
  const played = new Set(envIdsOf(config));
  if (played.size === trained.length && trained.every((id) => played.has(id))) return null;
  const isPlain = played.size === 1 && trained.length === 1;
  return isPlain ? { path: "env.name", needed: trained[0] } : { path: "envs", needed: trained };
}

/** A further environment of a run has other options than a checkpoint of its task. */
function otherEntry({ needs, further = [] }: BundledCheckpoint, config: RunConfig): Misfit | null {
  for (const entry of furtherEntries(config)) {
    const ofTask = [needs, ...further].find((one) => one["env.name"] === entry.config.env.name)!;
    const found = firstUnmet(ofEnvironment(ofTask), entry.config);
    if (found) return { ...found, entries: [entry.name] };
  }
  return null;
}

/** Each further turn has a word of its own, and every word changes the vocabulary. */
function otherTurns({ turns: needed = MAX_TURNS }: BundledCheckpoint, config: RunConfig): Misfit | null {
  if (countedTurns(config) === needed) return null;
  const names = entryNames(config);
  const longer = names.filter((name) => entryConfig(config, name).rollout.max_turns > needed);
  return { path: "rollout.max_turns", needed, ...(names.length > 1 && { entries: longer }) };
}

/** Those that fit, and the rest with those of the same environment first. */
export function bundledFor(config: RunConfig): {
  fitting: readonly BundledCheckpoint[];
  others: readonly { checkpoint: BundledCheckpoint; misfit: Misfit }[];
} {
  const all = BUNDLED.map((checkpoint) => ({ checkpoint, misfit: misfit(checkpoint, config) }));
  const isElsewhere = ({ needs }: BundledCheckpoint) => Number(needs["env.name"] !== config.env.name);
  return {
    fitting: all.flatMap((entry) => (entry.misfit ? [] : [entry.checkpoint])),
    others: all
      .flatMap(({ checkpoint, misfit: found }) => (found ? [{ checkpoint, misfit: found }] : []))
      .sort((a, b) => isElsewhere(a.checkpoint) - isElsewhere(b.checkpoint)),
  };
}

/** Whether a policy was trained beyond SFT. */
const isTrained = ({ id }: Pick<BundledCheckpoint, "id">): boolean => id.endsWith("-trained");

/** A policy after SFT that the run can start from, if possible one that was trained on its levels; null if there is none. */
export function bundledStart(config: RunConfig): BundledCheckpoint | null {
  const fitting = bundledFor(config).fitting.filter(({ id }) => id.endsWith("-warmup"));
  const isOfLevels = ({ levels = {} }: BundledCheckpoint) => isPlayedBy(levels, config);
  return fitting.findLast(isOfLevels) ?? fitting[0] ?? null;
}

/** A bundled policy of a run from random weights that was not made in this way, but by several runs of SFT; null if there is none. */
export function continuedStart(config: RunConfig): BundledCheckpoint | null {
  const { trainer } = config;
  if (trainer.init_checkpoint !== "") return null;
  // Whose words and layers they are does not matter without a checkpoint.
  const start = bundledStart({
    ...config,
    trainer: { ...trainer, init_vocabulary: "same", init_layers: "same" },
  });
  return start?.continued ? start : null;
}

/**
 * The trained policies for the levels of one of a run's environments: first the one that fits the whole run, if any, then the largest one of
 * the environment alone.
 */
export function bundledForRun(run: RunConfig, env: RunConfig["env"]): BundledCheckpoint[] {
  const plays = ({ needs, levels, further = [] }: BundledCheckpoint) =>
    [{ ...needs, ...levels }, ...further].some((one) => isPlayedBy(one, { env }));
  const ofRun = bundledFor(run).fitting.findLast((one) => isTrained(one) && plays(one));
  const ofLevels = bundledForLevels(env);
  return [...new Set([ofRun, ofLevels])].filter((one) => one != null);
}

/** The largest trained policy for the levels of an environment, in the format that it was trained in; null if there is none. */
export function bundledForLevels(env: RunConfig["env"]): BundledCheckpoint | null {
  // A policy of several environments sees pictures of another size than a level alone has.
  const fits = ({ needs, levels, further }: BundledCheckpoint) =>
    !further && isPlayedBy({ ...needs, ...levels }, { env });
  // The last one of an environment is the largest.
  return BUNDLED.findLast((one) => isTrained(one) && fits(one)) ?? null;
}
