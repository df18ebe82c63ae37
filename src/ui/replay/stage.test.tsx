import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { ReplayHead } from "./stage.tsx";

/** The head of an episode whose last action has that note. */
function headOf(note: string): string {
  const trajectory = fakeTrajectory({ id: "lost", seed: 5, skill: 1 });
  const last = trajectory.turns.at(-1)!;
  const executed = [...last.executed.slice(0, -1), { ...last.executed.at(-1)!, note }];
  const lost = {
    ...trajectory,
    success: false,
    turns: [...trajectory.turns.slice(0, -1), { ...last, executed }],
  };
  return renderToStaticMarkup(
    <ReplayHead replay={{ trajectory: lost, envConfig: {}, maxTurns: 5, title: "A policy" }} />,
  );
}

it("shows in full how a task was lost, without a second word for it", () => {
  const html = headOf('wrong: the answer is "left"');
  expect(html.replace(/<[^>]+>/g, "")).toContain("Failed: the answer is &quot;left&quot;");
  expect(html).toContain('title="Failed: the answer is &quot;left&quot;"');
});

it("shows the outcome alone where the environment does not say how", () => {
  expect(headOf("").replace(/<[^>]+>/g, "")).toBe("A policy✗ Failed");
});
