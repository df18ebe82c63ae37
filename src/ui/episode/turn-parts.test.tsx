import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Turn, Verdict } from "../../core/types.ts";
import { ActionName, RewardParts } from "./turn-parts.tsx";

const shown = (name: string, mention?: string) =>
  renderToStaticMarkup(
    <ActionName
      action={{ name, valid: true, effective: false, note: "", ...(mention !== undefined && { mention }) }}
    />,
  );

it("names an action once, and a long one below what it is called", () => {
  expect(shown("move_left", "move_left blocked")).toBe("move_left");
  expect(shown("Up")).toBe("Up");
  expect(shown("<svg/>", "a drawing")).toMatch(/^a drawing<code.*&lt;svg\/&gt;<\/code>$/);
});

const WRONG: Verdict = { status: "mismatch", score: 0, judge: "rule", reason: "", fields: [] };

/** The parts of a reward in words. Every judged term has a weight, as in presets. */
function rewardWith(verdicts: Turn["verdicts"]): string {
  const rewards = { task: 1, format: 0, state_estimation: 0, transition_modeling: 0, surroundings: 0 };
  const html = renderToStaticMarkup(<RewardParts turn={{ rewards, reward: 1, verdicts }} />);
  return html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

it("names no reward for what the format of a reply does not state, and a claim that is wrong", () => {
  expect(rewardWith({})).toBe("Task +1 Format 0 = +1");
  expect(rewardWith({ observation: WRONG })).toBe("Task +1 Format 0 Grounding 0 = +1");
  expect(rewardWith({ observation: WRONG, prediction: WRONG })).toBe(
    "Task +1 Format 0 Grounding 0 Prediction 0 = +1",
  );
  expect(rewardWith({ surroundings: WRONG })).toBe("Task +1 Format 0 Neighbours 0 = +1");
});
