import { expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { Summary } from "./summary.tsx";

const config = checkedRunConfig({});
const requested = { type: "start_requested", runId: "r", config } as const;
const stopped = { type: "run_finished", update: 0, reason: "stopped" } as const;
const checkpoint = { type: "checkpoint", update: 0, bytes: 1, name: "c" } as const;

it("says that a run which was stopped while it was built left nothing, and what to press", () => {
  const html = snapshot(<Summary />, viewOf([requested, stopped]));
  expect(html).toContain(
    "Stopped before training began; nothing was saved. To begin again, press “Start training” under Configure.",
  );
  expect(html).not.toMatch(/<button|Read its episodes|0 updates/);
});

it("offers what there is of a run that was saved before its first update", () => {
  const html = snapshot(<Summary />, viewOf([requested, checkpoint, stopped]));
  expect(html).toContain("Download checkpoint");
  expect(html).not.toContain("nothing was saved");
});

it("leads to episodes only where there are any", () => {
  const episode = {
    type: "trajectory",
    update: 0,
    source: "validation",
    trajectory: fakeTrajectory(),
  } as const;
  expect(snapshot(<Summary />, viewOf([requested, checkpoint, stopped]))).not.toContain("Read its episodes");
  expect(snapshot(<Summary />, viewOf([requested, checkpoint, episode, stopped]))).toContain(
    "Read its episodes",
  );
});
