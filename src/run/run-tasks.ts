// The configuration of a run, which may change while the run trains, and the tasks that follow from it.
import type { Task } from "../agent/task.ts";
import { applyChanges, applyClassOf } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftEndedWith } from "../config/run-length.ts";
import type { Judge } from "../judge/judge.ts";
import type { Run, ValidationSet } from "../training/run.ts";
import { appraisedBy } from "./appraisal.ts";
import type { Judging } from "./judging.ts";
import type { SimilarityModels } from "./similarity-models.ts";
import { judgedBy, scoredBy } from "./task.ts";
import { entrySets, setsOf } from "./validation-sets.ts";

/** What a run's tasks are made of, besides its configuration. */
interface Sources {
  /** The task without a judge, or with one that is ready. */
  task: Task;
  judging: Judging;
  /** The models that compare drawings; those that the configuration pays are open. */
  models?: SimilarityModels | undefined;
  /** Aborts when the run ends, which cancels requests to judges and models. */
  ended: AbortSignal;
}

/** The tasks of training, validations and demonstrations. */
type JudgedTasks = Pick<Run, "task" | "evalTask" | "demoTask">;

/** The present configuration of a run and its tasks. Members mean what they mean in `Run`. */
export class RunTasks {
  private judged: JudgedTasks;

  constructor(
    private present: RunConfig,
    private readonly sources: Sources,
  ) {
    const { task, judging } = sources;
    this.judged = {
      task: this.playedBy(task, judging.training),
      evalTask: this.playedBy(task, judging.evaluation),
      // Its teacher writes drawings by the thousand, which no model computes in time.
      demoTask: this.judgedBy(task, judging.demonstration),
    };
  }

  get config(): RunConfig {
    return this.present;
  }

  get task(): Task {
    return this.judged.task;
  }

  get evalTask(): Task {
    return this.judged.evalTask;
  }

  get demoTask(): Task {
    return this.judged.demoTask;
  }

  get evalSets(): ValidationSet[] {
    const { task, judging } = this.sources;
    const sets = setsOf(this.present, task).map((set) => ({
      ...set,
      task: this.playedBy(set.task, judging.evaluation, set.config),
    }));
    return [...entrySets(this.present, this.judged.evalTask), ...sets];
  }

  applyChanges(changes: Readonly<Record<string, unknown>>): string[] {
    const applicable = Object.entries(changes).filter(([path]) => applyClassOf(path) !== "restart");
    this.present = applyChanges(this.present, Object.fromEntries(applicable));
    const { task, evalTask, demoTask } = this.judged;
    this.judged = {
      task: this.scored(task),
      evalTask: this.scored(evalTask),
      demoTask: this.scored(demoTask),
    };
    return applicable.map(([path]) => path);
  }

  /** @param update the last update of SFT. */
  endSft(update: number): void {
    this.present = applyChanges(this.present, sftEndedWith(this.present, update));
  }

  /** The task of episodes that a policy plays. */
  private playedBy(task: Task, judge: Judge, config = this.present): Task {
    const { models, ended } = this.sources;
    return appraisedBy(this.judgedBy(task, judge, config), models, ended);
  }

  private judgedBy(task: Task, judge: Judge, config = this.present): Task {
    return judgedBy(task, judge, config, this.sources.ended);
  }

  /** The task with the reward weights of the present configuration. */
  private scored(task: Task): Task {
    return scoredBy(task, this.present);
  }
}
