// The episodes that a run's folder keeps, read back as far as rewards need them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isCutOff, leftOut } from "../../core/cut-lines.ts";
import { ConfigError } from "../../core/errors.ts";
import { z } from "../../core/schema.ts";
import type { Turn } from "../../core/types.ts";

/** Name of the file in a run's folder. */
export const EPISODES = "trajectories.jsonl";

export interface SavedEpisode {
  update: number;
  source: "train" | "validation";
  id: string;
  /** The name of its environment in `envs`; undefined for that of `env`. */
  entry: string | undefined;
  success: boolean;
  turns: Turn[];
}

const SavedScene = z.union([
  z.looseObject({
    rows: z.number(),
    cols: z.number(),
    player: z.array(z.number()).optional(),
    entities: z.record(z.string(), z.array(z.array(z.number()))),
  }),
  z.looseObject({
    frame: z.string(),
    things: z.array(z.looseObject({ name: z.string(), at: z.array(z.number()) })),
    facts: z.record(z.string(), z.unknown()),
  }),
]);

/** What the built-in reward terms and recordings of verdicts read is checked; the rest of a turn goes with it as the run wrote it. */
const SavedTurn = z.looseObject({
  observation: z.looseObject({ images: z.array(z.looseObject({ data: z.string() })) }),
  summary: z.string().optional(),
  parsed: z.looseObject({
    formatOk: z.boolean(),
    observation: z.string(),
    reasoning: z.string(),
    prediction: z.string(),
  }),
  before: SavedScene,
  after: SavedScene,
  executed: z.array(z.looseObject({ valid: z.boolean() })),
  verdicts: z.record(z.string(), z.looseObject({ status: z.string(), score: z.number() })),
  taskReward: z.number(),
  rewards: z.record(z.string(), z.number()),
  reward: z.number(),
  actionIsValid: z.boolean(),
  formatEarned: z.boolean().optional(),
});

const Line = z.object({
  update: z.number(),
  source: z.enum(["train", "validation"]),
  trajectory: z.object({
    id: z.string(),
    entry: z.string().optional(),
    success: z.boolean(),
    turns: z.array(SavedTurn),
  }),
});

interface SavedEpisodes {
  /** In the order of the file. */
  episodes: SavedEpisode[];
  /** A notice about the file itself; null if every line is complete. */
  notice: string | null;
}

/** How every line begins as a run writes it. */
const BEGINNING = '{"type":"trajectory"';

/**
 * Every saved episode. Lines that a crash or a full disk cut off are left out, anywhere in the file: a resumed run
 * appends after them.
 * @throws ConfigError("invalid_config") for a folder without episodes, or naming a line that is not an episode.
 */
export async function readEpisodes(folder: string): Promise<SavedEpisodes> {
  const file = join(folder, EPISODES);
  const text = await readFile(file, "utf8").catch(() => "");
  const episodes: SavedEpisode[] = [];
  let cut = 0;
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const episode = parseLine(line);
    if (!episode && !isCutOff(line, BEGINNING)) throw notAnEpisode(file, i + 1);
    if (episode) episodes.push(episode);
    else cut++;
  }
  if (episodes.length === 0) throw noEpisodes(folder, cut);
  return { episodes, notice: cut > 0 ? `${leftOut(file, cut)}.` : null };
}

const noEpisodes = (folder: string, cut: number) =>
  new ConfigError(
    "invalid_config",
    cut > 0
      ? `${join(folder, EPISODES)} has no complete episode: ${cut === 1 ? "its only line is" : `all ${cut} of its lines are`} cut off.`
      : `${folder} has no episodes in ${EPISODES}.`,
    "A run keeps those of its validations, and of training whenever it saves: give the folder of such a run, or train this one further.",
  );

function parseLine(line: string): SavedEpisode | null {
  try {
    const { update, source, trajectory } = Line.parse(JSON.parse(line));
    const { id, entry, success, turns } = trajectory;
    return { update, source, id, entry, success, turns: turns.map(restored) };
  } catch {
    return null;
  }
}

/** Decodes the pictures: a custom reward term may look at them. */
function restored(turn: z.output<typeof SavedTurn>): Turn {
  const images = turn.observation.images.map((image) => ({
    ...image,
    data: Uint8ClampedArray.from(Buffer.from(image.data, "base64")),
  }));
  return { ...turn, observation: { ...turn.observation, images } } as unknown as Turn;
}

const notAnEpisode = (file: string, line: number) =>
  new ConfigError(
    "invalid_config",
    `Line ${line} of ${file} is not an episode.`,
    "Remove the line, or use the file as the run wrote it.",
  );
