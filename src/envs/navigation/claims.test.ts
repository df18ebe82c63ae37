// Claims about rooms that are larger than words can count, or have several things of a kind.
import { expect, it } from "vitest";
import type { WorldTruth } from "../../core/types.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { navigationClaims, offsetWords, seenThings } from "./claims.ts";
import { tangentOf } from "./pose.ts";

const STEP = 0.1;
const rules = navigationClaims(STEP, tangentOf(100));

/** A view from the origin along +z of things in metres [x, z]; the target is a lamp, never seen. */
const view = (...things: [string, [number, number]][]) =>
  ({
    frame: "floor",
    things: things.map(([name, at]) => ({ name, at })),
    facts: {
      target: "lamp",
      target_x: 0,
      target_z: -2,
      known: false,
      x: 0,
      z: 0,
      yaw: 0,
      horizon: 0,
      step: STEP,
    },
  }) as unknown as WorldTruth;

const scoreOf = (text: string, truth: WorldTruth) => judgeStatements(text, "observation", truth, rules).score;
const said = (truth: WorldTruth) => `target not seen ; ${seenThings(truth as never).join(" ; ")}`;

it("what is farther away than words count is right where they end", () => {
  const far = view(["sofa", [0.2, 4.5]]);
  expect(said(far)).toBe("target not seen ; sofa 30 ahead 2 right");
  expect(offsetWords(far as never, [0.2, 4.5])).toBe("30 ahead 2 right");
  expect(scoreOf(said(far), far)).toBe(1);
  expect(scoreOf("target not seen ; sofa 20 ahead 2 right", far)).toBe(1 / 2);
});

it("two chairs are two statements", () => {
  const chairs = view(["chair", [-0.3, 0.4]], ["chair", [0.3, 1]]);
  expect(scoreOf(said(chairs), chairs)).toBe(1);
  expect(scoreOf("target not seen ; chair 10 ahead 3 right", chairs)).toBe(2 / 3);
});
