import { expect, it } from "vitest";
import { NOT_STATED, NOT_THERE } from "../../core/verdict.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { judgeScope, mistakeIn } from "./claims.ts";

await Promise.all(envs.ids.map(loadEnv));

it("says of worlds that the judge checks where things are, without neighbours, which they do not have", () => {
  const board = fakeTrajectory({ id: "b", seed: 5 });
  const { verdicts } = board.turns[0]!;
  for (const envId of ["navigation", "primitive-skill", "spatial-gym"]) {
    const { turns } = fakeTrajectory({ id: "w", envId, seed: 5 });
    const judged = turns.map((turn) => ({ ...turn, verdicts }));
    expect(judgeScope([{ turns: judged }])).toBe("The judge checks where things are.");
  }
  expect(judgeScope([board])).toMatch(/^The judge checks positions only \(.+\), not statements/);
});

it("says what a claim states or leaves out, and what is true", () => {
  const of = (predicted: string, truth: string) => mistakeIn({ name: "bin", predicted, truth, ok: false });
  expect(of("3 ahead", "2 ahead")).toBe("bin: claimed 3 ahead, correct: 2 ahead");
  expect(of(NOT_STATED, "2 ahead")).toBe("bin: not stated, correct: 2 ahead");
  expect(of("3 ahead", NOT_THERE)).toBe("bin: claimed 3 ahead, not there");
  expect(of("not seen", NOT_THERE)).toBe("bin: claimed not seen, wrongly");
});
