// The alarms of a run. To add one, add a file and a line here.
import { registry } from "../../core/registry.ts";
import type { Alarm } from "./alarm.ts";
import { echo } from "./echo.ts";
import { entropyCollapse } from "./entropy-collapse.ts";
import { klSpike } from "./kl-spike.ts";
import { rewardHacking } from "./reward-hacking.ts";
import { rewardVarianceCliff } from "./reward-variance-cliff.ts";
import { sftLoss } from "./sft-loss.ts";
import { weakStart } from "./weak-start.ts";

/** All alarms. */
export const alarms = registry<Alarm>(
  "alarm",
  rewardHacking,
  echo,
  entropyCollapse,
  klSpike,
  rewardVarianceCliff,
  sftLoss,
  weakStart,
);
