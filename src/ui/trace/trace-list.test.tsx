// What the list of traces says of who played, of tools and of what was not judged.
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import type { ToolUse } from "../../core/types.ts";
import { isOneTurn } from "../episode/outcome.ts";
import { runStore } from "../store/run-store.ts";
import { emptyView, type Provenance, type StoredTrajectory } from "../store/run-view.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { renderPresentState } from "../testing/present-state.ts";
import { filtered, TraceList } from "./trace-list.tsx";
import { TraceView } from "./trace-view.tsx";

const config = inspectRunConfig({ sft: { total_updates: 20, one_turn_updates: 5 } }).config!;
const episode = (key: string, source: Provenance, update: number): StoredTrajectory => ({
  key,
  update,
  source,
  trajectory: fakeTrajectory({ id: key, seed: 3, skill: 1 }),
});
/** Cut after its first turn, as the first updates of SFT have it. */
function cut(stored: StoredTrajectory): StoredTrajectory {
  const { trajectory } = stored;
  const turns = trajectory.turns.slice(0, 1);
  return {
    ...stored,
    trajectory: { ...trajectory, turns, terminated: false, truncated: true, success: false },
  };
}
function calling(stored: StoredTrajectory, tool: Partial<ToolUse>): StoredTrajectory {
  const [first, ...others] = stored.trajectory.turns;
  const use: ToolUse = { call: "measure", name: "measure", ok: true, result: "4", detail: "", ...tool };
  return { ...stored, trajectory: { ...stored.trajectory, turns: [{ ...first!, tool: use }, ...others] } };
}
function unjudged(stored: StoredTrajectory): StoredTrajectory {
  const turns = stored.trajectory.turns.map((turn) => ({ ...turn, verdicts: {} }));
  return { ...stored, trajectory: { ...stored.trajectory, turns } };
}

renderPresentState(runStore);
const show = (...trajectories: StoredTrajectory[]) =>
  runStore.setState({ ...emptyView(), runId: "r", config, trajectories }, true);
const text = (element: ReactElement, address = "/") =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[address]}>{element}</MemoryRouter>)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const list = () => text(<TraceList />);

beforeEach(() => show());

describe("the list of traces", () => {
  it("says that demonstrations are a script's, which the policy imitates, and lets them be left out", () => {
    const demonstration = episode("d", "demonstration", 12);
    const trained = episode("t", "train", 21);
    show(trained, demonstration);
    expect(list()).toMatch(/Demonstrations are scripted episodes that the policy imitates during SFT/);
    expect(list()).toMatch(/Source All Demonstration Training Outcome/);
    expect(list()).not.toContain("single turn");
    const filter = { outcome: "all", tools: false, update: null } as const;
    expect(filtered([trained, demonstration], { ...filter, source: "train" })).toEqual([trained]);
    show(trained);
    expect(list()).not.toContain("Demonstration");
  });
  it("says that it is a sample, and of what", () => {
    show(episode("t", "train", 21));
    expect(list()).toContain("up to 3 episodes of each update");
    expect(list()).toMatch(/the newest 240; the newest 48 survive a reload\./);
    show();
    expect(list()).not.toContain("A sample");
  });
  it("explains demonstrations of one turn, and does not call them out of turns", () => {
    const early = cut(episode("e", "demonstration", 5));
    show(early);
    expect(list()).toMatch(/The first 5 SFT updates .* use demonstrations of a single turn/);
    expect(list()).toContain("First turn only");
    expect(list()).not.toContain("Out of turns");
    // Later ones, and those of the policy, end for other reasons.
    expect(isOneTurn({ ...early, update: 6 }, config)).toBe(false);
    expect(isOneTurn({ ...early, source: "train" }, config)).toBe(false);
    expect(isOneTurn(episode("x", "demonstration", 5), config)).toBe(false);
  });
  it("marks episodes with tool calls, and can show only them", () => {
    const plain = episode("p", "train", 21);
    const called = calling(episode("c", "train", 21), {});
    const refused = calling(episode("f", "train", 21), { ok: false });
    show(plain, called, refused);
    expect(list()).toMatch(/With tool calls/);
    expect(list()).toMatch(/Tool calls .*No tool was called.*1 , 1 failed/);
    const filter = { outcome: "all", source: "all", tools: true, update: null } as const;
    expect(filtered([plain, called, refused], filter)).toEqual([called, refused]);
    show(plain);
    expect(list()).not.toMatch(/tool/i);
  });
  it("has no column for what was never judged, and a dash with its reason in one that others fill", () => {
    const judged = episode("j", "train", 21);
    const bare = unjudged(episode("b", "train", 21));
    show(bare);
    expect(list()).not.toMatch(/Observations right|Predictions right|0 of 0/);
    show(bare, judged);
    expect(list()).toMatch(/Observations right Predictions right/);
    expect(list()).toContain("Nothing of the kind was judged in this episode");
    expect(list()).not.toContain("0 of 0");
  });
  it("counts in the singular", () => {
    show(episode("t", "train", 21));
    expect(list()).toContain("1 episode ");
  });
});

it("a trace says that the policy imitates a demonstration, and why it has one turn", () => {
  const stored = cut(episode("e", "demonstration", 3));
  const page = text(<TraceView stored={stored} config={config} />);
  expect(page).toMatch(/A scripted episode that the policy imitates during SFT/);
  expect(page).toMatch(/The first 5 SFT updates .* single turn/);
  expect(page).not.toMatch(/Played by the policy|Out of turns/);
});

it("a link to a token that the trace does not have shows its turn", () => {
  const view = <TraceView stored={episode("e", "train", 21)} config={config} />;
  const page = text(view, "/trace/e?turn=1&tok=99999");
  expect(page).toContain("Turn 1");
  expect(page).toBe(text(view, "/trace/e?turn=1"));
});
