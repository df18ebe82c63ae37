// Plays the golden skills of PrimitiveSkill, as the studio's worker would: alone, and with threads that simulate them ahead.
import { goldenGames, playGolden } from "../../src/envs/primitive-skill/golden.ts";
import { primitiveSkill } from "../../src/envs/primitive-skill/index.ts";
import { endThreads, precompute, provideThreads } from "../../src/envs/threads.ts";
import { workerThreads } from "../../src/worker/env-threads.ts";

try {
  await primitiveSkill.load?.();
  provideThreads(workerThreads());
  const games = goldenGames();
  await precompute(games.map(({ env, skills }) => ({ env, actions: skills, spec: primitiveSkill })));
  const left = games.filter(({ env, skills }) => env.jobFor({ env, actions: skills }) !== null);
  self.postMessage({ alone: playGolden(), ahead: playGolden(games), left: left.map(({ id }) => id) });
  endThreads();
} catch (error) {
  self.postMessage(String(error));
}
