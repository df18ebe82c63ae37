// A trace compares every drawing of an episode with its icon, the last one too, rendered to text with everything that it loads.
import { prerender } from "react-dom/static";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import type { Trajectory, Turn } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { TraceView } from "./trace-view.tsx";

beforeAll(() => loadEnv("svg"));

const config = inspectRunConfig({
  env: { name: "svg" },
  rollout: { prompt_format: "free_think" },
  judge: { name: "off" },
}).config!;
const drawn = () => fakeTrajectory({ id: "drawn", envId: "svg", seed: 3, skill: 0, maxTurns: 2 });

/** Similarities and headings of the comparisons in a trace, in order. */
async function comparisons(trajectory: Trajectory): Promise<string[]> {
  const stored = { key: "e", update: 1, source: "train", trajectory } as const;
  const { prelude } = await prerender(
    <MemoryRouter>
      <TraceView stored={stored} config={config} />
    </MemoryRouter>,
  );
  const text = (await new Response(prelude).text()).replace(/<[^>]+>/g, " ");
  return text.match(/After turn \d+|Similarity 0\.\d\d/g) ?? [];
}

const similarity = ({ after }: Turn): string => `Similarity ${Number(after.facts!.similarity).toFixed(2)}`;

it("compares a drawing before the next turn, and the last one below its own", async () => {
  const trajectory = drawn();
  const [first, last] = trajectory.turns as [Turn, Turn];
  expect(similarity(first)).not.toBe(similarity(last));
  expect(await comparisons(trajectory)).toEqual([similarity(first), "After turn 2", similarity(last)]);
});

it("shows no drawing again after a turn that drew nothing", async () => {
  const trajectory = drawn();
  const [first, last] = trajectory.turns as [Turn, Turn];
  const turns = [first, { ...last, executed: [], after: last.before }];
  expect(await comparisons({ ...trajectory, turns })).toEqual([similarity(first)]);
});
