// The language of PrimitiveSkill where coordinates are written with y first.
import { beforeAll, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { config } from "../../envs/primitive-skill/config.ts";
import { loadPhysics } from "../../envs/primitive-skill/physics.ts";
import { PrimitiveSkill } from "../../envs/primitive-skill/primitive-skill.ts";
import { TASK_IDS } from "../../envs/primitive-skill/task-ids.ts";
import { primitiveSkillTemplate as template } from "./primitive-skill.ts";

beforeAll(() => loadPhysics());

const exchanged = (text: string) => text.replaceAll(/(-?\d+),(-?\d+),(-?\d+)/g, "$2,$1,$3");

/** The same state for both orders. */
function truths(env_id: (typeof TASK_IDS)[number], seed: number): [plain: WorldTruth, turned: WorldTruth] {
  const truthOf = (axis_order: "xyz" | "yxz") => {
    const env = new PrimitiveSkill(config.parse({ env_id, axis_order }));
    env.reset(seed);
    return env.groundTruth();
  };
  return [truthOf("xyz"), truthOf("yxz")];
}

it.each(TASK_IDS)(
  "what is said, done and foreseen in %s differs only in the order of coordinates",
  (env_id) => {
    for (const seed of [1, 2, 3, 4]) {
      const [plain, turned] = truths(env_id, seed);
      const say = (truth: WorldTruth) => [template.describe(truth), template.dictionary!.write(truth)];
      expect(say(turned)).toEqual(say(plain).map(exchanged));
      for (const choose of [template.heuristic, template.anyAction!]) {
        const [action, other] = [choose(plain, rng(seed)), choose(turned, rng(seed))] as [string, string];
        expect(other).toBe(exchanged(action));
        const [after, otherAfter] = [template.advance(plain, action), template.advance(turned, other)];
        expect(otherAfter.things).toEqual(after.things);
        expect(template.predict(otherAfter)).toBe(exchanged(template.predict(after)));
        const [seen, otherSeen] = [plain, turned].map((truth) => template.misread!(truth, rng(seed)));
        const plan = template.misled!(plain, seen!, [action]);
        expect(template.misled!(turned, otherSeen!, [other])).toEqual(plan.map(exchanged));
      }
    }
  },
);
