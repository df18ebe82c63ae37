import { expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { judgeScope } from "./claims.ts";

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
