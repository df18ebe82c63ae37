// What counts as an effective turn in each environment, as the metric dictionary explains `train/action_is_effective`.
import { expect, test } from "vitest";
import { loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { validationEpisodes } from "./episodes.ts";
import { rollout } from "./rollout.ts";
import { testTask } from "./test-task.ts";

const DRAWING = '<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';
/** The same circle in other words. */
const REWORDED =
  "<svg viewBox='0 0 64 64'><g fill='#f00'><ellipse rx='20' ry='20' cx='32' cy='32'/></g></svg>";
const OTHER = DRAWING.replace("20", "21");
const REFUSED = '<svg viewBox="0 0 64 64"><script/></svg>';
const lake = { desc: ["SFF", "FFF", "FFG"] };
/** The player steps to the left, then pushes the crate to the right. */
const room = { desc: ["######", "#____#", "#_PX_#", "#___O#", "######"] };

/** Whether each turn of an episode is effective, when the agent answers with these actions. */
async function played(envId: string, answers: readonly string[], config: object) {
  await loadEnv(envId);
  const task = { ...testTask(envId, { format: "no_think" }, config), maxTurns: answers.length };
  const policy = scriptedPolicy((_env, { turn }) =>
    task.vocabulary.encode(`<answer>${answers[turn]}</answer><eos>`),
  );
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 2000, seed: 1 };
  const [{ turns }] = await rollout({ task, policy, episodes: validationEpisodes([600_000]), sampling });
  return turns.map(({ actionIsEffective }) => actionIsEffective);
}

test.each<[string, readonly string[], readonly boolean[], object?]>([
  ["frozenlake", ["Right", "Right,Left", "Up"], [true, false, false], lake],
  ["sokoban", ["Left", "Right,Right", "Up,Down"], [true, true, false], room],
  // Turns and tilts count, and so do a step and a step back.
  ["navigation", ["turn_left", "turn_left,turn_right", "look_up", "look_up"], [true, true, true, false]],
  ["navigation", ["move_right,move_left", "look_down,look_up", "jump"], [true, true, false]],
  ["spatial-gym", ["Rotate(90)", "Observe()", "Answer(nothing)"], [true, true, false]],
  ["primitive-skill", ["pick(0,0,300)"], [false]],
  ["svg", [DRAWING, DRAWING, REFUSED, OTHER, DRAWING], [true, false, false, true, true]],
  ["svg", [REFUSED, DRAWING, REWORDED, REFUSED, REWORDED], [false, true, false, false, false]],
  ["blackjack", ["Stick"], [true]],
  ["visual-math", ["99"], [false]],
])("of %s %j are %j", async (envId, answers, effective, config = {}) => {
  expect(await played(envId, answers, config)).toEqual(effective);
});
