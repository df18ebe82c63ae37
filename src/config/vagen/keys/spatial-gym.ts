// Options of SpatialGym in a dataset's entry.
import { short } from "../../../core/short.ts";
import { type KeyMapping, liteEntry, notABoolean, type ReadResult, type Source } from "../key-mapping.ts";

const ROOMS = "Rooms are drawn in the page, from the seed.";

const SCRIPT =
  "The studio has a script of its own for passive exploration: it looks round at the start, and with two rooms beside the farthest object.";

const MAP =
  "VAGEN asks for a map after the exploration; its kinds of questions are for its own evaluation. The studio's are other ones: env.config.task.";

function readExploration(value: unknown): ReadResult {
  if (value === "active") return { value };
  if (value === "passive") return { value, note: SCRIPT };
  return { refused: `exp_type is ${short(JSON.stringify(value))}; it must be active or passive.` };
}

const WITHOUT_THOUGHT: readonly string[] = ["no_think", "answer"];

function readThinking(value: unknown, source: Source): ReadResult {
  if (typeof value !== "boolean") return notABoolean("prompt_config.enable_think", value);
  if (source.isOfAugust) return { value: value ? "free_think_2026" : "answer" };
  return { value: value ? "free_think" : "no_think" };
}

/** VAGEN's rooms are files, in a folder for each number of rooms. */
const ROOM_FOLDER = /(?:^|\/)(\d+)-room\/?$/;

function readRooms(value: unknown): ReadResult {
  const count = Number(typeof value === "string" ? ROOM_FOLDER.exec(value)?.[1] : undefined);
  if (count === 1 || count === 2) return { value: count, note: ROOMS };
  return { ignored: Number.isNaN(count) ? ROOMS : `${ROOMS} The studio's homes have one room or two.` };
}

export const spatialGymKeys: readonly KeyMapping[] = [
  liteEntry("config.exp_type", "env.config.exp_type", {
    default: "passive",
    assumed: true,
    read: readExploration,
    note: SCRIPT,
  }),
  liteEntry("config.prompt_config.enable_think", "rollout.prompt_format", {
    default: true,
    assumed: true,
    read: readThinking,
    write: ({ rollout }) => !WITHOUT_THOUGHT.includes(rollout.prompt_format),
    converted:
      "`true` is `free_think`, `false` is `no_think`; from August 2026 on they are `free_think_2026` and `answer`. Other formats are written as `true`.",
  }),
  liteEntry("config.max_exp_steps", "env.config.max_exp_steps", { default: 20 }),
  liteEntry("config.field_of_view", "env.config.fov", { default: 90 }),
  ...liteEntry.ignored(MAP, ["config.eval_tasks", "config.eval_tasks.*"]),
  ...liteEntry.ignored("The studio's policies have pictures of a size of their own: env.config.resolution.", [
    "config.image_size",
  ]),
  liteEntry("config.data_dir", "env.config.rooms", {
    read: readRooms,
    write: ({ env }) => (env.config.rooms === 2 ? "vagen/envs/spatial_gym/room_data/2-room" : undefined),
    converted: "`…/1-room` is `1`, `…/2-room` is `2`.",
  }),
  ...liteEntry.ignored(ROOMS, ["config.room_config", "config.room_config.*", "config.replay"]),
  ...liteEntry.ignored("Maps are seen from the start, as with VAGEN's `ego`.", ["config.perspective"]),
  ...liteEntry.ignored(SCRIPT, ["config.proxy_agent"]),
  ...liteEntry.ignored("The studio does not measure it.", ["config.calculate_information_gain"]),
  ...liteEntry.ignored("The studio's prompts have words of their own.", [
    "config.prompt_config",
    "config.prompt_config.*",
  ]),
  ...liteEntry.ignored("Belongs to VAGEN's own evaluator.", ["config.kwargs", "config.kwargs.*"]),
].map((mapping) => ({ ...mapping, env: "spatial-gym" }));
