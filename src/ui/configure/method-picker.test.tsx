import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { methodOf, methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { changesText, Description, othersText } from "./method-picker.tsx";

const { config } = getPreset("frozenlake-nano");

const laid = (id: string) => applyChanges(config, methods.get(id).changes);

test("says in the words of the form what a method makes different", () => {
  const grpo = changesText(methods.get("grpo"), laid("grpo"), config);
  expect(grpo).toContain("GRPO");
  expect(grpo).toMatch(/Reasoning reward: off/);
  expect(grpo).not.toContain("rollout.");
});

test("recognises the method of a preset that averages losses in another way, and says in which", () => {
  const full = methods.get("vagen-full");
  expect(methodOf(config)).toBe(full);
  expect(changesText(full, config, config)).toBe("");
  expect(othersText(full, config)).toBe("Loss mean: All tokens; Value loss mean: All tokens");
  const whole = laid("vagen-full");
  expect(othersText(full, whole)).toBe("");
  expect(changesText(full, whole, config)).toBe(
    "Loss mean: Sequences, tokens averaged; Value loss mean: Sequences, tokens averaged",
  );
});

test("says nothing of the comparison beside a preset that the user has not touched", () => {
  const shownWith = (draft: typeof config) =>
    renderToStaticMarkup(<Description method={methodOf(draft)} draft={draft} base={config} />);
  const untouched = shownWith(config);
  expect(untouched).toContain(methodOf(config)!.description);
  expect(untouched).not.toMatch(/comparison|Changed/);
  const otherwise = applyChanges(config, { "trainer.total_updates": 3 });
  expect(shownWith(otherwise)).toBe(untouched);
  // The preset's means of losses, with an estimator and rewards that the user has chosen.
  const {
    "actor.loss_agg_mode": _,
    "critic.loss_agg_mode": __,
    ...changes
  } = methods.get("vagen-base").changes;
  const chosen = shownWith(applyChanges(config, changes));
  expect(chosen).toContain("Changed: ");
  expect(chosen).toContain("The studio&#x27;s comparison of methods uses other settings than this draft");
  expect(shownWith(laid("vagen-base"))).not.toContain("comparison of methods");
});

test("names the claims that the chosen format has, beside a method that pays them", () => {
  const textOf = (id: string, format: string) => {
    const draft = applyChanges(laid(id), { "rollout.prompt_format": format });
    return renderToStaticMarkup(<Description method={methods.get(id)} draft={draft} base={draft} />);
  };
  expect(textOf("vagen-full", "grounding_worldmodeling")).toContain("(observation) and where");
  const grounding = textOf("vagen-full", "grounding");
  expect(grounding).toContain("The claims of the chosen format: what the state is (observation).");
  expect(grounding).not.toMatch(/predict/i);
  expect(textOf("vagen-full", "free_think")).toContain("Replies in the chosen format claim nothing.");
  expect(textOf("vagen-base", "free_think")).not.toContain("chosen format");
});
