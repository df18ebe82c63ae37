import { expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { alarms } from "../../rl/alarms/index.ts";
import type { RunView } from "../store/run-view.ts";
import { fakeRun } from "../testing/fake-run.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { CheckpointList } from "./checkpoints.tsx";
import { checkpointBefore, GoBackDialog } from "./go-back.tsx";

const config = checkedRunConfig({ sft: { total_updates: 20, one_turn_updates: 5 } });
const running = { ...viewOf(fakeRun("r", config, 30)), state: "running" } as RunView;
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

it("finds the newest checkpoint from before an alarm that advises to go back", () => {
  const { remedy: hint } = alarms.get("entropy_collapse");
  const before = (began: number, stored: readonly number[]) => checkpointBefore({ began, hint }, stored);
  expect(before(25, [37, 36, 30, 20])).toBe(20);
  expect(before(37, [37, 36, 30, 20])).toBe(36);
  expect(before(20, [37, 36, 30, 20])).toBe(undefined);
  expect(before(20, [])).toBe(undefined);
  const { remedy } = alarms.get("sft_loss");
  expect(checkpointBefore({ began: 25, hint: remedy }, [20])).toBe(undefined);
});

it("offers every stored checkpoint from before the present update", () => {
  const offers = (stored: readonly number[], view = running) => {
    const html = snapshot(<CheckpointList stored={stored} />, view);
    return [...html.matchAll(/<button[^>]*>([^<]+)/g)].map(([, text]) => text);
  };
  expect(offers([30, 29, 24, 20])).toEqual([
    "Go back to PPO update 9",
    "Go back to PPO update 4",
    "Go back to SFT update 20",
  ]);
  expect(offers([30])).toEqual([]);
  expect(textOf(snapshot(<CheckpointList stored={[30]} />, running))).toContain(
    "No earlier checkpoint is stored",
  );
  // Nothing can be chosen while the run is built.
  const preparing = snapshot(<CheckpointList stored={[30, 20]} />, { ...running, state: "preparing" });
  expect(preparing).toMatch(/<button[^>]* disabled=""[^>]*>Go back to SFT update 20/);
});

it("asks before the run goes back, as long as the checkpoint is stored", () => {
  const nothing = () => undefined;
  const does = { onClose: nothing, onYes: nothing };
  const asked = (isStored: boolean) =>
    textOf(snapshot(<GoBackDialog update={24} isStored={isStored} open {...does} />, running));
  expect(asked(true)).toMatch(/Go back to PPO update 4\?.* of 6 updates since then are deleted/);
  expect(asked(false)).toContain("The checkpoint of PPO update 4 has been removed");
  expect(asked(false)).not.toContain("Go back to");
});
