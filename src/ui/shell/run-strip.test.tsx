import { expect, it } from "vitest";
import { emptyView, type RunState, type RunView } from "../store/run-view.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { RunStrip } from "./run-strip.tsx";

const strip = (state: RunState) => snapshot(<RunStrip onStop={() => undefined} />, { ...emptyView(), state });

it("offers to stop a run that is under way, and to close one at rest", () => {
  for (const [state, has, lacks] of [
    ["running", "Stop", "Close this run"],
    ["preparing", "Stop", "Close this run"],
    ["finished", "Close this run", "Stop"],
    ["failed", "Close this run", "Stop"],
    ["elsewhere", "Close this run", "Stop"],
  ] as const) {
    expect(strip(state)).toContain(`aria-label="${has}"`);
    expect(strip(state)).not.toContain(`aria-label="${lacks}"`);
  }
});

it("marks the one button that pauses or resumes the run, which takes the focus after going back", () => {
  expect(strip("running")).toMatch(/<section[^>]*data-run-strip="true"/);
  for (const [state, word] of [
    ["running", "Pause"],
    ["paused", "Resume"],
  ] as const) {
    const marked = strip(state).match(/<button[^>]*data-goes-on[^>]*>.*?<\/button>/g);
    expect(marked).toHaveLength(1);
    expect(marked![0]).toContain(`${word}</button>`);
  }
});

it("continues a run that was stopped before its end, and offers that once", () => {
  const checkpoint = { update: 30, name: "run-30", bytes: 1 };
  const rested = (view: Partial<RunView>) =>
    snapshot(<RunStrip onStop={() => undefined} />, {
      ...{ ...emptyView(), state: "stopped", update: 30, totalUpdates: 60, checkpoint },
      ...view,
    });
  const marked = rested({}).match(/<button[^>]*data-goes-on[^>]*>.*?<\/button>/g)!;
  expect(marked).toHaveLength(1);
  expect(marked[0]).toMatch(/title="[^"]+".* Continue<\/button>/);
  // It is there on phones, too.
  expect(marked[0]).not.toContain("hidden sm:");
  expect(marked[0]).not.toContain("max-sm:hidden");
  for (const other of [
    { checkpoint: null },
    { update: 60, state: "finished" },
    { state: "elsewhere" },
    { state: "diverged" },
  ] as const)
    expect(rested(other)).not.toContain("Continue");
});

const validating = (update: number) =>
  snapshot(<RunStrip onStop={() => undefined} />, {
    ...emptyView(),
    ...({ state: "running", stage: "ppo", totalUpdates: 40, update } as const),
    phase: { phase: "validate", update, done: 92, of: 512 },
  });

it("moves its line with the episodes of a validation before the first update", () => {
  expect(validating(0)).toMatch(
    /aria-label="Episodes of the first validation"[^>]*aria-valuemax="512" aria-valuenow="92".*width:17\.96875%/,
  );
  expect(validating(10)).toMatch(
    /aria-label="Updates done"[^>]*aria-valuemax="40" aria-valuenow="10".*width:25%/,
  );
});

it("says what its line shows in every phase", () => {
  const said = (view: Partial<RunView>) =>
    / aria-valuetext="([^"]*)"/.exec(
      snapshot(<RunStrip onStop={() => undefined} />, {
        ...{ ...emptyView(), state: "running", stage: "ppo", totalUpdates: 40, update: 10 },
        ...view,
      }),
    )![1];
  const phase = { phase: "rollout", update: 11, done: 12, of: 64 } as const;
  expect(said({})).toBe("10 of 40 updates");
  expect(said({ phase })).toBe("10 of 40 updates; playing episodes 12 / 64");
  expect(said({ phase: { ...phase, phase: "validate" } })).toBe(
    "10 of 40 updates; validation episodes 12 / 64",
  );
  expect(said({ update: 0, phase: { ...phase, phase: "validate" } })).toBe("12 of 64 episodes");
  const stages = [{ stage: "warmup", firstUpdate: 1, lastUpdate: 20 }] as const;
  expect(said({ stages })).toBe("10 of 40 updates, SFT included");
});

it("shows at every width what the run does", () => {
  const [, classes] =
    /<span class="([^"]*)"[^>]*>(?:<span class="hidden xl:inline">· <\/span>)?validation episodes 92 \/ 512</.exec(
      validating(0),
    )!;
  expect(classes!.split(" ")).not.toContain("hidden");
});
