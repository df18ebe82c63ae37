// Plays the golden skills of PrimitiveSkill, as the studio's worker would: alone, and with threads that precompute them.
import { goldenGames, playGolden } from "../../src/envs/primitive-skill/golden.ts";
import { primitiveSkill } from "../../src/envs/primitive-skill/index.ts";
import { endThreads, precompute, provideThreads } from "../../src/envs/threads.ts";
import { workerThreads } from "../../src/worker/env-threads.ts";
import { confine } from "../../src/worker/seal.ts";

try {
  await primitiveSkill.load?.();
  provideThreads(workerThreads());
  // As for a run with an extension, which must not start workers.
  confine();
  const games = goldenGames();
  await precompute(games.map(({ env, skills }) => ({ env, actions: skills, spec: primitiveSkill })));
  const left = games.filter(({ env, skills }) => env.jobFor({ env, actions: skills }) !== null);
  self.postMessage({ alone: playGolden(), ahead: playGolden(games), left: left.map(({ id }) => id) });
  endThreads();
} catch (error) {
  self.postMessage(String(error));
}
