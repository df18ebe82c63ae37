// A fixed sequence of skills for each task and the exact states that they lead to. Node compares them with `golden/states.json`; a browser
// that runs this module has to come to the same numbers.
import { config } from "./config.ts";
import { PrimitiveSkill } from "./primitive-skill.ts";
import { TASK_IDS, type TaskId } from "./task-ids.ts";

/** Skills with grasps, falls, slips and a blocked hand. */
const SKILLS: Readonly<Record<TaskId, readonly string[]>> = {
  AlignTwoCube: ["pick(133,67,20)", "place(0,-60,60)", "push(115,120,20,115,190,20)", "pick(115,181,34)"],
  PlaceTwoCube: ["pick(-98,-16,20)", "place(81,-100,90)", "push(-17,40,20,-17,110,20)", "pick(-17,93,10)"],
  StackThreeCube: ["pick(116,-197,20)", "place(4,-85,62)", "pick(135,-60,20)", "place(16,-85,102)"],
  PutAppleInDrawer: [
    "pick(-117,177,40)",
    "place(-500,-540,300)",
    "push(-500,-305,200,-500,-570,200)",
    "pick(0,0,0)",
  ],
};
const SEED = 1;

/** After a skill: a digest of the physics and of the agent's picture, and the positions in millimetres. */
interface GoldenStep {
  skill: string;
  state: string;
  picture: string;
  positions: readonly (readonly number[])[];
}

/** A game before its first skill. */
interface GoldenGame {
  id: TaskId;
  env: PrimitiveSkill;
  skills: readonly string[];
}

/** The games of the sequences; `loadPhysics` has to be awaited before. */
export const goldenGames = (): GoldenGame[] =>
  TASK_IDS.map((id) => {
    const env = new PrimitiveSkill(config.parse({ env_id: id }));
    env.reset(SEED);
    return { id, env, skills: SKILLS[id] };
  });

/** Plays the sequences. */
export const playGolden = (games = goldenGames()): Record<TaskId, GoldenStep[]> =>
  Object.fromEntries(games.map((game) => [game.id, playGame(game)])) as Record<TaskId, GoldenStep[]>;

function playGame({ env, skills }: GoldenGame): GoldenStep[] {
  const steps: GoldenStep[] = [];
  for (const skill of skills) {
    const { terminated } = env.step(skill);
    const state = digest(new Uint8Array(Float64Array.from(env.save().state).buffer));
    const positions = Object.values(env.state().positions);
    steps.push({ skill, state, picture: digest(env.render(8).data), positions });
    if (terminated) break;
  }
  return steps;
}

/** FNV-1a of bytes, as eight hexadecimal digits. */
function digest(bytes: ArrayLike<number>): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
