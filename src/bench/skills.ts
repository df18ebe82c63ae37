// `--skills`: how many steps of PrimitiveSkill's physics and how many skills one core simulates in a second, how many skills all threads
// simulate, and how many pictures one core draws.

import { loadEnv } from "../envs/index.ts";
import { config } from "../envs/primitive-skill/config.ts";
import { primitiveSkill } from "../envs/primitive-skill/index.ts";
import { STEP_RATE } from "../envs/primitive-skill/mjcf.ts";
import { FRAME_RATE } from "../envs/primitive-skill/motion.ts";
import { PrimitiveSkill } from "../envs/primitive-skill/primitive-skill.ts";
import { TASK_IDS, type TaskId } from "../envs/primitive-skill/task-ids.ts";
import { precompute } from "../envs/threads.ts";
import { coreSeconds, timesPerCoreSecond } from "./core-seconds.ts";
import { spread } from "./stats.ts";
import { timed } from "./timed.ts";

const ROUNDS = 9;
/** Pixels of a patch in the agent's picture, and in what people look at; a picture has 8 × 8 patches. */
const PATCH_SIZES = [8, 38] as const;
const PATCHES = 8;

interface Episodes {
  skills: number;
  steps: number;
  seconds: number;
  /** A state in the middle of an episode. */
  env: PrimitiveSkill;
}

/** Plays `count` solved episodes of each task in every round and prints the medians; resolves to the exit code. */
export async function skillsCommand(count: number, print: (text: string) => void): Promise<number> {
  print(`loading MuJoCo: ${(await timed(() => loadEnv("primitive-skill"))).toFixed(0)} ms`);
  for (const task of TASK_IDS) {
    const plans = plansOf(task, count);
    const rounds = Array.from({ length: ROUNDS }, () => play(task, plans));
    const perSecond = (key: "skills" | "steps") =>
      spread(rounds.map((round) => round[key] / round.seconds)).median.toFixed(0);
    const pictures = PATCH_SIZES.map((px) => `${picturesPerSecond(rounds[0].env, px)} at ${px * PATCHES} px`);
    const inThreads = await skillsInThreads(task, plans);
    print(
      `${task}: ${perSecond("skills")} skills/s${inThreads}, ${perSecond("steps")} physics steps/s, pictures/s ${pictures.join(", ")}`,
    );
  }
  return 0;
}

/** The skills that solve each seed; finding them is not timed. */
const plansOf = (task: TaskId, count: number): string[][] =>
  Array.from({ length: count }, (_, seed) => [...(started(task, seed).oracle() ?? [])]);

function play(task: TaskId, plans: readonly (readonly string[])[]): Episodes {
  const env = new PrimitiveSkill(config.parse({ env_id: task }));
  let frames = 0;
  const seconds = coreSeconds(() => {
    for (const [seed, plan] of plans.entries()) {
      env.reset(seed);
      for (const skill of plan) {
        env.step(skill);
        frames += env.moments().length - 1;
      }
    }
  });
  return { skills: plans.flat().length, steps: (frames * STEP_RATE) / FRAME_RATE, seconds, env };
}

/** Skills a second of wall time where threads simulate all games at once; the first round starts them. Empty without threads. */
async function skillsInThreads(task: TaskId, plans: readonly (readonly string[])[]): Promise<string> {
  const perSecond: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const games = plans.map((actions, seed) => ({ env: started(task, seed), actions, spec: primitiveSkill }));
    const ms = await timed(() => precompute(games));
    if (games.some((game) => game.env.jobFor(game) !== null)) return "";
    if (round > 0) perSecond.push((1000 * plans.flat().length) / ms);
  }
  return `, ${spread(perSecond).median.toFixed(0)} in threads (${plans.length} games at a time)`;
}

function started(task: TaskId, seed: number): PrimitiveSkill {
  const env = new PrimitiveSkill(config.parse({ env_id: task }));
  env.reset(seed);
  return env;
}

function picturesPerSecond(env: PrimitiveSkill, patchPx: number): string {
  return timesPerCoreSecond(() => env.render(patchPx), 200, 200).toFixed(0);
}
