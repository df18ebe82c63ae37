// Episodes of every environment come back from storage as they were.
import { expect, test, vi } from "vitest";
import { demonstrationBatch } from "../agent/players.ts";
import { testTask } from "../agent/test-task.ts";
import type { Trajectory } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { openStore } from "../persistence/store.ts";
import type { StoredTrajectoryEvent } from "../training/events.ts";
import { loadTraces, TraceLog } from "./trace-log.ts";

/** Replies of environments have formats of their own. */
const FORMATS = { blackjack: "free_think", svg: "grounding" } as const;

async function demonstrated(id: string): Promise<Trajectory> {
  await loadEnv(id);
  const format = FORMATS[id as keyof typeof FORMATS] ?? "grounding_worldmodeling";
  const [played] = await demonstrationBatch({
    task: testTask(id, { format, maxTurns: 3 }),
    episodes: [{ id: "0", seed: 3, groupId: "0", rngKey: 1 }],
    skill: { randomFraction: 0, expertFraction: 1 },
    oneTurn: false,
    seed: 1,
  });
  return played!;
}

test.each(envs.ids)("%s", async (id) => {
  const store = openStore(memoryFiles());
  const onFailure = vi.fn();
  const log = new TraceLog(store, "run", 4, { onWritten: () => undefined, onFailure });
  const event: StoredTrajectoryEvent = {
    type: "trajectory",
    update: 1,
    source: "train",
    trajectory: await demonstrated(id),
  };
  log.add(event);
  await log.flush();
  expect(onFailure).not.toHaveBeenCalled();
  expect(await loadTraces(store, "run")).toEqual([event]);
});
