// `--skills`: how many steps of PrimitiveSkill's physics and how many skills one core simulates in a second, and how many pictures it draws.
import { config } from "../envs/primitive-skill/config.ts";
import { STEP_RATE } from "../envs/primitive-skill/mjcf.ts";
import { FRAME_RATE } from "../envs/primitive-skill/motion.ts";
import { loadPhysics } from "../envs/primitive-skill/physics.ts";
import { PrimitiveSkill } from "../envs/primitive-skill/primitive-skill.ts";
import { TASK_IDS, type TaskId } from "../envs/primitive-skill/task-ids.ts";
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
  print(`loading MuJoCo: ${(await timed(loadPhysics)).toFixed(0)} ms`);
  for (const task of TASK_IDS) {
    const plans = plansOf(task, count);
    const rounds = Array.from({ length: ROUNDS }, () => play(task, plans));
    const perSecond = (key: "skills" | "steps") =>
      spread(rounds.map((round) => round[key] / round.seconds)).median.toFixed(0);
    const pictures = PATCH_SIZES.map((px) => `${picturesPerSecond(rounds[0].env, px)} at ${px * PATCHES} px`);
    print(
      `${task}: ${perSecond("skills")} skills/s, ${perSecond("steps")} physics steps/s, pictures/s ${pictures.join(", ")}`,
    );
  }
  return 0;
}

/** The skills that solve each seed; finding them is not timed. */
const plansOf = (task: TaskId, count: number): string[][] =>
  Array.from({ length: count }, (_, seed) => {
    const env = new PrimitiveSkill(config.parse({ env_id: task }));
    env.reset(seed);
    return [...(env.oracle() ?? [])];
  });

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

function picturesPerSecond(env: PrimitiveSkill, patchPx: number): string {
  return timesPerCoreSecond(() => env.render(patchPx), 200, 200).toFixed(0);
}
