// The configuration of a run, which may change while the run trains, and the tasks that follow from it.
import type { Task } from "../agent/task.ts";
import { applyChanges, applyClassOf } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftEndedWith } from "../config/run-length.ts";
import type { Judge } from "../judge/judge.ts";
import type { Run, ValidationSet } from "../training/run.ts";
import type { Judging } from "./judging.ts";
import { judgedBy, scoredBy } from "./task.ts";
import { entrySets, setsOf } from "./validation-sets.ts";

/** What a run's tasks are made of, besides its configuration. */
interface Sources {
  /** The task without a judge, or with one that is ready. */
  task: Task;
  judging: Judging;
  /** Aborts when the run ends, which cancels requests to a judge. */
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
      task: this.judgedBy(task, judging.training),
      evalTask: this.judgedBy(task, judging.evaluation),
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
      task: this.judgedBy(set.task, judging.evaluation),
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

  private judgedBy(task: Task, judge: Judge): Task {
    return judgedBy(task, judge, this.present, this.sources.ended);
  }

  /** The task with the reward weights of the present configuration. */
  private scored(task: Task): Task {
    return scoredBy(task, this.present);
  }
}
