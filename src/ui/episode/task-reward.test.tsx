// The explanations of task rewards in recorded turns.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import "../../envs/index.ts";
import { decodeReplay } from "../../replay/codec.ts";
import { TaskReward } from "./task-reward.tsx";

/** The words below the rewards of a recording, turn by turn. */
function wordsOf(id: string, change: object = {}): string[] {
  const file = join(import.meta.dirname, `../../../public/replays/${id}.json`);
  const { trajectory, config } = decodeReplay(JSON.parse(readFileSync(file, "utf8")));
  const { envId, turns } = trajectory;
  return turns.map((turn) => {
    const html = renderToStaticMarkup(
      <TaskReward envId={envId} envConfig={config.env.config} turn={{ ...turn, ...change }} />,
    );
    return html.replace(/<[^>]+>/g, "");
  });
}

it("is where a drawing's number comes from, in recordings without later options", () => {
  expect(wordsOf("svg-10154-early")).toEqual([
    "Task +0.693: the drawing scores 0.4 × MS-SSIM 0.745 + 0.3 × edges 0.48 + 0.3 × colour 0.836 = 0.693.",
    expect.stringMatching(/^Task 0: the drawing scores .* = 0\.693, no more than an earlier drawing\.$/),
  ]);
  expect(wordsOf("svg-10154-trained")[0]).toMatch(/^Task \+1\.5: .* = 1, and success adds 0\.5\.$/);
});

it("is said of walks, skills and looks", () => {
  expect(wordsOf("navigation-95011-trained")[2]).toBe("Task +1: the mirror is 0.84 m away, within 1 m.");
  expect(wordsOf("primitive-skill-place-10003-trained")).toEqual([
    "Task +4: stages reached.",
    "Task +7: +6 for stages reached and +1 for success.",
  ]);
  expect(wordsOf("spatial-gym-10063-trained").at(-1)).toBe("Task +1: the right answer.");
  expect(wordsOf("spatial-gym-map-10146-trained").at(-1)).toBe(
    "Task +0.801: a map (one without a fault earns 1).",
  );
});

it("is not said where the end of the game alone pays, or a turn is paid otherwise", () => {
  expect(wordsOf("frozenlake-10079-early").join("")).toBe("");
  expect(wordsOf("svg-10154-early", { rewards: { task: 5 } }).join("")).toBe("");
});
