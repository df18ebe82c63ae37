// Plays the golden skills of PrimitiveSkill, as the studio's worker would.
import { playGolden } from "../../src/envs/primitive-skill/golden.ts";
import { loadPhysics } from "../../src/envs/primitive-skill/physics.ts";

try {
  await loadPhysics();
  self.postMessage(playGolden());
} catch (error) {
  self.postMessage(String(error));
}
