// How a checkpoint was made, for those that will be published.
import { execFileSync } from "node:child_process";
import type { Provenance } from "../../persistence/checkpoint.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { samplingName } from "../format-progress.ts";

/** Collects the latest figures of a run for its checkpoints. */
export class ProvenanceRecord {
  private figures: Record<string, number> = {};
  private readonly commit = currentCommit();

  private readonly command: string;

  /** @param before the command that made the run so far, if this one resumes it. */
  constructor(
    command: string,
    private readonly seed: number,
    before?: string,
  ) {
    this.command = before ? `${before} && ${command}` : command;
  }

  record(event: TrainerEvent): void {
    if (event.type !== "validation") return;
    const { update, temperature, successes, episodes, interval } = event.report;
    const name = `val/success, ${samplingName(temperature)}`;
    this.figures = {
      ...this.figures,
      [name]: successes / episodes,
      [`${name}, low`]: interval[0],
      [`${name}, high`]: interval[1],
      "val/episodes": episodes,
      "val/update": update,
    };
  }

  get(): Provenance {
    return { command: this.command, commit: this.commit, seed: this.seed, figures: this.figures };
  }
}

/** The commit of the sources, marked when they differ from it; empty outside a repository. */
function currentCommit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const commit = git("rev-parse", "HEAD");
    return git("status", "--porcelain", "src", "shaders") ? `${commit} with changes` : commit;
  } catch {
    return "";
  }
}
