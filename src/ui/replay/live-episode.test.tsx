import { expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { environmentText, LiveEpisode } from "./live-episode.tsx";

const config = checkedRunConfig({});
const requested = { type: "start_requested", runId: "r", config } as const;

it("says when the first episode appears: as it finishes, or when a validation ends", () => {
  const beforeAny = snapshot(<LiveEpisode />, viewOf([requested]));
  expect(beforeAny).toContain("The first finished episode appears here");
  const validating = { type: "phase", stage: "ppo", update: 0, phase: "validate", done: 0, of: 2 } as const;
  const during = snapshot(<LiveEpisode />, viewOf([requested, validating]));
  expect(during).toContain("When the validation ends, one of its episodes appears here");
  const stopped = { type: "run_finished", update: 0, reason: "stopped" } as const;
  const after = snapshot(<LiveEpisode />, viewOf([requested, validating, stopped]));
  expect(after).toContain("The run ended before one could be shown.");
});

it("says in which of several environments an episode was played", () => {
  const several = checkedRunConfig({ envs: { boxes: { name: "sokoban" } } });
  expect(environmentText({ entry: "boxes" }, several)).toBe("boxes, ");
  expect(environmentText({}, several)).toBe("frozenlake, ");
  expect(environmentText({}, config)).toBe("");
  expect(environmentText({}, null)).toBe("");
});

it("counts the update of an episode within its stage, as the run strip does", () => {
  const stage = { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 20 } as const;
  const episode = { type: "trajectory", update: 23, source: "train", trajectory: fakeTrajectory() } as const;
  expect(snapshot(<LiveEpisode />, viewOf([requested, stage, episode]))).toContain("PPO update 3 · level");
});
