// Large pictures of a recorded episode: the game is played again from its seed, or where it is simulated from the stored state of
// each turn, so nothing big has to be stored or sent. The recorded truth checks the replay; where they differ we say so and show what the model saw.
// The actions are played at once, and a state is drawn when it is first looked at.
import { isBoard } from "../../core/scene.ts";
import type { Frame, SceneTruth, Trajectory, Turn } from "../../core/types.ts";
import type { Env, EnvSpec, FloorPlan, RecordedStates } from "../../envs/env.ts";
import { furtherPictures } from "../../envs/pictures.ts";
import { peoplePatchPx } from "../../envs/preview.ts";
import { envs, isLoaded, loadFailure } from "../../envs/registry.ts";
import { lazyFrames } from "./lazy-frames.ts";
import { environmentOf, type OwnSteps, ownSteps, playedIn } from "./own-steps.ts";
import { enterTurn, RecordedGame } from "./recorded-game.ts";

/** A motion in the size of the pictures around it. */
export interface Film {
  /** How long it takes. */
  readonly seconds: number;
  /** The picture after some seconds of it. */
  picture(second: number): Frame;
}

export interface TurnFrames {
  /** The state that the turn starts from. */
  before: Frame;
  /** After each executed action; empty when nothing was executed. */
  steps: readonly Frame[];
  /** The states of `steps`. */
  truths: readonly SceneTruth[];
  /** For `before` and then for each of `steps`, the pictures that the agent is shown beside it; none in most environments. */
  further: readonly (readonly Frame[])[];
  /** How each of `steps` came about, where its environment shows that. */
  motions: readonly (Film | null)[];
}

export type ReplayedEpisode =
  /**
   * `gap` says why the states between the actions of a turn are missing; empty where they are there. `floor` is that of the level, where
   * the environment has one.
   */
  | { ok: true; turns: readonly TurnFrames[]; gap: string; floor: FloorPlan | null }
  /** The recording does not fit this build's environment, or the environment is unknown. */
  | { ok: false; reason: string };

/**
 * Plays the recorded actions again. Episodes in a user's own environment are drawn from what was recorded and from `ownSteps`, without its
 * code. @param patchPx pixels of a patch in the pictures; absent: as many as people are shown.
 */
export function replayEpisode(trajectory: Recorded, envConfig: unknown, patchPx?: number): ReplayedEpisode {
  const spec = envs.all.find((known) => known.id === trajectory.envId);
  if (!spec) return { ok: false, reason: `This build has no environment "${trajectory.envId}".` };
  if (!isLoaded(spec.id))
    return { ok: false, reason: loadFailure(spec.id) || `${spec.title} is still loading.` };
  const config = spec.config.safeParse(envConfig ?? {});
  if (!config.success) return { ok: false, reason: "The recorded task options are not valid in this build." };
  try {
    const { rows, cols } = spec.patches(config.data);
    const px = patchPx ?? peoplePatchPx(spec, config.data);
    const size = { width: cols * px, height: rows * px };
    if (spec.recorded) return drawRecorded(trajectory, drawing(spec.recorded, size, px));
    return playAgain(new RecordedGame(spec.create(config.data), trajectory.seed), trajectory, {
      frameOf: (game, state) => lazyFrames.frame(size, () => game.returnTo(state).render(px)),
      furtherOf: (env) => furtherPictures(env).map((draw) => lazyFrames.frame(size, () => draw(px))),
      filmOf: (env) => filmOf(env, px),
    });
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** A state of a turn, and how it came about where its environment shows that. */
export interface TurnState {
  frame: Frame;
  truth: SceneTruth;
  motion: Film | null;
}

/** The state before a turn and that after each of its actions. */
export const statesOfTurn = ({ before }: Pick<Turn, "before">, frames: TurnFrames): TurnState[] => [
  { frame: frames.before, truth: before, motion: null },
  ...frames.steps.map((frame, i) => ({ frame, truth: frames.truths[i]!, motion: frames.motions[i]! })),
];

/** How a game came to its state, where its environment shows that. @param px pixels of a patch */
export function filmOf(env: Env, px: number): Film | null {
  const motion = env.motion?.();
  return motion ? { seconds: motion.seconds, picture: (second) => motion.picture(second, px) } : null;
}

/** How states and motions become pictures. */
interface Pictures {
  frameOf(game: RecordedGame, state: number): Frame;
  furtherOf(env: Env): readonly Frame[];
  filmOf(env: Env): Film | null;
}

type Recorded = Pick<Trajectory, "envId" | "seed" | "turns">;

function playAgain(game: RecordedGame, { seed, turns }: Recorded, pictures: Pictures): ReplayedEpisode {
  const floor = game.returnTo(-1).floorPlan?.() ?? null;
  let hasEnded = false;
  const played: TurnFrames[] = [];
  for (const turn of turns) {
    const beginsAgain = hasEnded;
    const { state } = game.enter((env) => enterTurn(env, seed, turn, beginsAgain));
    const env = game.returnTo(state);
    if (!sameState(env.groundTruth(), turn.before))
      return { ok: false, reason: `The replay differs from the recording at turn ${turn.index + 1}.` };
    const further = pictures.furtherOf(env);
    const steps = playedIn(turn).map((name) => stepIn(game, name, pictures));
    hasEnded = steps.at(-1)?.isOver ?? false;
    // A turn begins where the one before it ended, unless something put it elsewhere.
    const latest = beginsAgain || turn.saved ? undefined : lastOf(played);
    played.push({
      before: latest ?? pictures.frameOf(game, state),
      steps: steps.map(({ frame }) => frame),
      further: [further, ...steps.map((step) => step.further)],
      truths: steps.map(({ truth }, i) => (i === steps.length - 1 ? withRecorded(truth, turn.after) : truth)),
      motions: steps.map(({ motion }) => motion),
    });
  }
  return { ok: true, turns: played, gap: "", floor };
}

/** How a recorded state is drawn when it is looked at. */
const drawing =
  ({ draw }: RecordedStates, size: Pick<Frame, "width" | "height">, px: number) =>
  (truth: SceneTruth) =>
    lazyFrames.frame(size, () => draw(truth, px));

/** An episode as its recording has it: a turn of one action needs no more than its two states. */
function drawRecorded(trajectory: Recorded, frameOf: (truth: SceneTruth) => Frame): ReplayedEpisode {
  const steps = ownSteps(trajectory);
  const drawn: TurnFrames[] = [];
  for (const turn of trajectory.turns) {
    const truths = statesAfter(turn, steps);
    if (truths.length > 0 && !sameState(truths.at(-1)!, turn.after))
      return { ok: false, reason: `The replay differs from the recording at turn ${turn.index + 1}.` };
    drawn.push({
      before: frameOf(turn.before),
      steps: truths.map(frameOf),
      further: [],
      truths,
      motions: truths.map(() => null),
    });
  }
  return { ok: true, turns: drawn, gap: gapIn(trajectory, steps), floor: null };
}

/** Why states between actions are missing, and what is shown in their place; empty where none is missing. */
function gapIn({ turns }: Recorded, steps: OwnSteps): string {
  if (steps.state === "known" || turns.every((turn) => playedIn(turn).length < 2)) return "";
  return steps.state === "failed"
    ? `Where a turn has several actions, the state before the turn stands for those between them. ${steps.problem}`
    : "The states between the actions of a turn are being computed.";
}

/** The state after each action of a turn; while those between are not known, the one before the turn stands for them. */
function statesAfter(turn: Turn, steps: OwnSteps): readonly SceneTruth[] {
  const known = steps.state === "known" && steps.turns.get(turn.index);
  if (known) return known;
  const actions = playedIn(turn);
  return actions.map((_, i) => (i === actions.length - 1 ? turn.after : turn.before));
}

const lastOf = (turns: readonly TurnFrames[]): Frame | undefined =>
  turns.at(-1)?.steps.at(-1) ?? turns.at(-1)?.before;

function stepIn(game: RecordedGame, name: string, { frameOf, furtherOf, filmOf }: Pictures) {
  const { state, result } = game.enter((env) => env.step(name));
  const env = game.returnTo(state);
  return {
    frame: frameOf(game, state),
    further: furtherOf(env),
    truth: env.groundTruth(),
    motion: filmOf(env),
    isOver: result.terminated,
  };
}

/** A state with what only its recording says of it, such as a model's score of a drawing. */
const withRecorded = (truth: SceneTruth, { facts }: SceneTruth): SceneTruth =>
  facts ? { ...truth, facts: { ...facts, ...truth.facts } } : truth;

/** Whether a state is the recorded one in everything that was recorded about it; an older build may have recorded fewer facts. */
function sameState(now: SceneTruth, recorded: SceneTruth): boolean {
  const names = Object.keys(recorded.facts ?? {});
  const compared = (truth: SceneTruth) => [
    isBoard(truth) ? [truth.player, truth.entities] : truth.things,
    names.map((name) => truth.facts?.[name]),
  ];
  return JSON.stringify(compared(now)) === JSON.stringify(compared(recorded));
}

const KEPT = 24;
/** Most recently used last. */
const cache = new Map<Trajectory, Kept>();

interface Kept {
  config: string;
  spec: EnvSpec | undefined;
  steps: OwnSteps;
  replay: ReplayedEpisode;
}

/** `replayEpisode`, remembered for the last few episodes. */
export function cachedReplay(trajectory: Trajectory, envConfig: unknown): ReplayedEpisode {
  const config = JSON.stringify(envConfig ?? {});
  const [spec, steps] = [environmentOf(trajectory), ownSteps(trajectory)];
  const known = cache.get(trajectory);
  const replay =
    known?.config === config && known.spec === spec && known.steps === steps
      ? known.replay
      : replayEpisode(trajectory, envConfig);
  cache.delete(trajectory);
  // An environment that is still loading can be played later.
  if (isLoaded(trajectory.envId)) cache.set(trajectory, { config, spec, steps, replay });
  if (cache.size > KEPT) cache.delete(cache.keys().next().value!);
  return replay;
}
