// The GPU memory that a run needs, by purpose, computed without a device.
import { envIdsOf } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { said } from "../core/message.ts";
import { loadEnvs } from "../envs/index.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import type { MemoryPlan } from "../training/events.ts";
import { assertCanStart } from "./initial-for.ts";
import { playableSize, type RunSize } from "./size.ts";
import { DEFAULT_LIMIT, tooLarge } from "./size-problem.ts";

/**
 * The memory plan of a configuration, with the remedy if it is too large.
 * @param limit the adapter's largest buffer in bytes.
 * @param start the metadata of the checkpoint that the run starts from, where it has been read.
 * @throws EnvError or ConfigError if there are no levels to play; CheckpointError("wrong_architecture") if `start` does not fit.
 */
export async function planMemory(
  config: RunConfig,
  limit = DEFAULT_LIMIT,
  start?: CheckpointMeta,
): Promise<MemoryPlan> {
  await loadEnvs(envIdsOf(config));
  const size = playableSize(config);
  if (start) assertCanStart(size, config, start);
  return memoryOf(config, size, limit);
}

/** The memory plan of a run whose size is known. @param limit the adapter's largest buffer in bytes. */
export function memoryOf(config: RunConfig, size: RunSize, limit: number): MemoryPlan {
  const { arena, layout } = size.buffers;
  const problem = tooLarge(config, size, limit);
  return {
    total: arena.totalBytes,
    parts: arena.bytesByCategory,
    parameters: layout.count,
    largestBuffer: arena.largest.bytes,
    limit,
    ...(problem && { problem: said(problem.message, problem.hint) }),
  };
}
