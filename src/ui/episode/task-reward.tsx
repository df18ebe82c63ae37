// Where the task's part of a turn's reward comes from.
import type { Turn } from "../../core/types.ts";
import { envs } from "../../envs/registry.ts";
import { formatEarned } from "../lib/format.ts";

interface TaskRewardProps {
  /** The environment of the turn. */
  envId: string;
  /** Its options as recorded, which may lack later ones. */
  envConfig: unknown;
  turn: Pick<Turn, "before" | "after" | "executed" | "taskReward" | "rewards">;
}

/** Below the parts of a reward; nothing where the environment has nothing to say. */
export function TaskReward(props: TaskRewardProps) {
  const words = wordsOf(props);
  return (
    words && (
      <p className="nums text-caption text-muted">
        Task {formatEarned(props.turn.taskReward)}: {words}.
      </p>
    )
  );
}

/** Empty if the recorded task reward is not the turn's own, for example where only the last turn is paid. */
function wordsOf({ envId, envConfig, turn }: TaskRewardProps): string {
  const spec = envs.all.find(({ id }) => id === envId);
  const options = spec?.config.safeParse(envConfig ?? {});
  if (!spec?.explainReward || !options?.success || turn.rewards.task !== turn.taskReward) return "";
  return spec.explainReward(turn, options.data);
}
