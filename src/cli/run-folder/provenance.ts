// How a checkpoint was made, for those that will be published.
import { execFileSync } from "node:child_process";
import type { CheckpointMeta, Provenance } from "../../persistence/checkpoint.ts";
import type { SuccessCount, TrainerEvent, ValidationReport } from "../../training/events.ts";
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
    const { report } = event;
    this.figures = { ...this.figures, ...successFigures(report), "val/update": report.update };
  }

  get(): Provenance {
    return { command: this.command, commit: this.commit, seed: this.seed, figures: this.figures };
  }
}

type Result = Pick<ValidationReport, "temperature" | "further"> & SuccessCount;

/**
 * The success of a policy as its checkpoint keeps it: the rate and its 95 % interval at that temperature, and the episodes. What was
 * measured in further environments and sets has their names in it: `val/success/navigation, temperature 1`.
 */
export function successFigures({ temperature, further = {}, ...first }: Result): Record<string, number> {
  const named = Object.entries(further).map(([name, count]) => countFigures(count, temperature, `/${name}`));
  return Object.assign(countFigures(first, temperature), ...named);
}

function countFigures(
  { successes, episodes, interval: [low, high] }: SuccessCount,
  temperature: number,
  of = "",
): Record<string, number> {
  const name = `val/success${of}, ${samplingName(temperature)}`;
  return {
    [name]: successes / episodes,
    [`${name}, low`]: low,
    [`${name}, high`]: high,
    [`val/episodes${of}`]: episodes,
  };
}

/** A checkpoint's metadata with another commit that made it; without a provenance, as it is. */
export const withCommit = (meta: CheckpointMeta, commit: string): CheckpointMeta =>
  meta.provenance ? { ...meta, provenance: { ...meta.provenance, commit } } : meta;

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
