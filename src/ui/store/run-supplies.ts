// What a run needs that no configuration holds: the key or the recording of its judge, and the models that it pays.
import type { RunConfig } from "../../config/run-config.ts";
import type { RunSupplies } from "../../worker/protocol.ts";
import { accessFor, judgeObstacle, useJudgeObstacle } from "./judge-store.ts";
import { modelObstacle, modelsFor, useModelObstacle } from "./similarity-store.ts";

/** What goes to the worker with a start. */
export const suppliesFor = (config: RunConfig): RunSupplies => ({
  ...accessFor(config),
  ...modelsFor(config),
});

/** What is missing for a new run; empty when nothing is. */
export const supplyObstacle = (config: RunConfig): string => judgeObstacle(config) || modelObstacle(config);

/** What is missing for a stored run, in a component. `kept`: the recording for its judge is stored. */
export function useSupplyObstacle(config: RunConfig | null, kept: boolean): string {
  const unopened = useJudgeObstacle(config, kept);
  const unpaid = useModelObstacle(config);
  return unopened || unpaid;
}
