import { expect, test } from "vitest";
import { EvalProgress } from "./eval-progress.ts";
import { testIo } from "./testing/io.ts";

test("reports each player when it is done, and how far it is every 30 seconds", async () => {
  const io = testIo();
  let time = 0;
  const progress = new EvalProgress(io, () => time);
  const playing = (seconds: number) => async (onEpisode: () => void) => {
    for (let i = 0; i < 4; i++) {
      time += seconds * 1000;
      onEpisode();
    }
    return "result";
  };
  expect(await progress.during("trained", 4, playing(20))).toBe("result");
  await progress.during("Random", 4, playing(1));
  expect(io.written).toEqual({
    out: "",
    err: "trained: 2 of 4 episodes\ntrained: 4 episodes in 80 s\nRandom: 4 episodes in 4 s\n",
  });
});
