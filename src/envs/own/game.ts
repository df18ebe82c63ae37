// One game of a user's own environment.
import { EnvError } from "../../core/errors.ts";
import { checkSeed, rng } from "../../core/rng.ts";
import type { Frame, SceneTruth } from "../../core/types.ts";
import { type Env, type StepResult, TRAINING_SEARCH_BUDGET } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import type { TextCells } from "../options.ts";
import { type OwnActions, ownActions } from "./actions.ts";
import type { Calls, CheckedStep, StateText } from "./call.ts";
import { faulty } from "./fault.ts";
import type { OwnField } from "./field.ts";
import type { OwnEnvironment } from "./own.ts";
import type { Places } from "./places.ts";
import { resultIn } from "./result.ts";
import { shortestPlan } from "./search.ts";

/** Levels that are drawn until one can be solved, for each unit of the search budget. */
const DRAWS = 10;

/** The state, the instruction of the level, and how the episode ended if it has. */
interface Episode extends Pick<CheckedStep, "state" | "done" | "success" | "result"> {
  instruction?: string | undefined;
}

interface OwnConfig {
  success_reward: number;
  /** Of a board. */
  text_cells?: TextCells;
}

export class OwnGame implements Env {
  private episode: Episode | null = null;
  /** Plans that have been found, by state. */
  private readonly plans = new Map<StateText, readonly string[] | null>();
  private readonly actions: OwnActions;
  /** The instruction of the level; absent where levels give none. */
  readonly question?: () => string;

  constructor(
    private readonly own: OwnEnvironment,
    private readonly field: OwnField,
    private readonly calls: Calls,
    private readonly config: OwnConfig,
    private readonly searchBudget = TRAINING_SEARCH_BUDGET,
  ) {
    this.actions = ownActions(own.actions);
    if (own.instructions) this.question = () => started(this.episode).instruction ?? "";
  }

  reset(seed: number): void {
    checkSeed(seed);
    this.plans.clear();
    for (let draw = 0; draw < DRAWS * this.searchBudget; draw++) {
      const state = this.calls.start(rng(seed).fork(`level ${draw}`), seed);
      this.calls.where(state);
      // Before the plan: a sentence that is not in the list often comes with a level that has none.
      const instruction = this.calls.instruction?.(state);
      if (!this.planFrom(state)?.length) continue;
      this.episode = { state, done: false, success: false, instruction };
      return;
    }
    throw new EnvError(
      "unsolvable_level",
      `The environment "${this.own.id}" draws no level with a plan from seed ${seed}.`,
      "Let step return success: true where a level is solved, and start draw levels that a few actions solve: a search for a plan visits up to 20,000 states.",
    );
  }

  /** Goes on from a state that was recorded. */
  enter(truth: SceneTruth): void {
    const { facts } = truth;
    this.plans.clear();
    const [state, done] = [String(facts?.state), facts?.done === true];
    // A recording may be older than the list.
    const instruction =
      this.own.instructions?.find((text) => text === facts?.instruction) ?? this.calls.instruction?.(state);
    this.episode = { state, done, success: false, result: resultIn(truth), instruction };
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(episode.done);
    this.checkAction(action);
    const step = this.calls.step(episode.state, action);
    const { state, changed, reward, done, success } = step;
    this.assertFixed(this.calls.where(state));
    this.assertSameInstruction(state);
    const effective = changed || success;
    this.episode = { ...step, instruction: episode.instruction };
    return {
      reward: reward + (success ? this.config.success_reward : 0),
      terminated: done,
      success,
      effective,
      note: success ? "" : step.note || usualNote(step, effective),
    };
  }

  /** @throws EnvError("invalid_action") for anything but an action as `OwnActions.read` writes it */
  private checkAction(action: string): void {
    const read = this.actions.read(action);
    if (read === action) return;
    const why = read === null ? this.actions.whyUnknown(action) : `Write it as ${read}.`;
    if (why === "") checkAction(action, this.actions.examples);
    throw new EnvError("invalid_action", `"${action}" is not an action.`, why);
  }

  render(patchPx: number): Frame {
    return this.field.draw(this.groundTruth(), patchPx);
  }

  text(): string {
    return this.field.text(this.groundTruth(), this.config.text_cells);
  }

  /** Everything that is there; `facts.state` is the whole state, which the language of the environment goes on from. */
  groundTruth(): SceneTruth {
    const { state, done, instruction, result } = started(this.episode);
    return this.field.truth(this.places(), {
      state,
      done,
      ...(instruction !== undefined && { instruction }),
      ...(result !== undefined && { result }),
    });
  }

  oracle(): readonly string[] | null {
    const { state, done, success } = started(this.episode);
    if (done) return success ? [] : null;
    return this.planFrom(state);
  }

  private planFrom(state: StateText): readonly string[] | null {
    const known = this.plans.get(state);
    if (known !== undefined) return known;
    const { plan } = this.calls;
    const found = plan ? plan(state) : shortestPlan(this.calls, this.actions.all(), state);
    this.plans.set(state, found);
    return found;
  }

  /** @throws EnvError for a thing that has moved although it says that it never does. */
  private assertFixed(after: Places): void {
    const { fixed } = this.field;
    // Without such a thing, as on every board, a call of the environment's code is saved.
    if (fixed.length === 0) return;
    const before = this.places();
    for (const name of fixed) {
      const [from, to] = [before, after].map((places) => JSON.stringify(places[name] ?? []));
      if (from !== to)
        throw faulty(
          this.own.id,
          "step",
          `${name} went from ${from} to ${to}, but things.${name}.fixed says that it never moves`,
        );
    }
  }

  /** @throws EnvError for an instruction that changes within a level, because the agent could not know which one counts. */
  private assertSameInstruction(state: StateText): void {
    const { instruction } = started(this.episode);
    const now = this.calls.instruction?.(state);
    if (now === instruction) return;
    throw faulty(
      this.own.id,
      "instruction",
      `the instruction changed from "${instruction}" to "${now}" within a level; choose it in start and keep it in the state`,
    );
  }

  private places(): Places {
    return this.calls.where(started(this.episode).state);
  }
}

/** The note of a step without success whose environment gave none. */
function usualNote({ done, result }: CheckedStep, effective: boolean): string {
  if (result !== undefined) return "the episode ended";
  if (done) return "the episode was lost";
  return effective ? "" : "nothing happened";
}
