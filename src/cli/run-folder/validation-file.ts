// The validations of a run, in a file that is whole at any time.
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../core/errors.ts";
import { z } from "../../core/schema.ts";
import { replaceFile } from "../../persistence/node-files.ts";
import type { ValidationReport } from "../../training/events.ts";

/** Name of the file in a run's folder. */
const VALIDATIONS = "validation.json";

/** What is read of a report is checked; the rest goes with it as the run wrote it. */
const Reports = z.array(
  z.looseObject({
    update: z.number(),
    stage: z.string().optional(),
    temperature: z.number(),
    episodes: z.number(),
    successes: z.number(),
    /** JSON writes NaN as null. */
    metrics: z.record(z.string(), z.number().nullable()),
  }),
);

/** The validations that a run's folder keeps; none where it has no such file. @throws ConfigError naming a file that is damaged. */
export function readValidations(folder: string): ValidationReport[] {
  const file = join(folder, VALIDATIONS);
  if (!existsSync(file)) return [];
  try {
    return Reports.parse(JSON.parse(readFileSync(file, "utf8"))) as unknown as ValidationReport[];
  } catch (cause) {
    throw new ConfigError(
      "invalid_config",
      `${file} cannot be read as the validations of a run.`,
      "Move the file away: the run then counts without the validations in it. Or move its folder away, to train it anew.",
      { cause },
    );
  }
}

/** The same file, while its run trains. */
export class Validations {
  private reports: readonly ValidationReport[];

  /** A run that is taken up again adds to its earlier reports; a damaged file is kept aside, which `say` tells. */
  constructor(
    private readonly folder: string,
    say: (line: string) => void,
  ) {
    try {
      this.reports = readValidations(folder);
    } catch (error) {
      this.reports = [];
      say(`warning: ${(error as Error).message} It is kept as ${putAside(folder)}, and a new one begins.`);
    }
  }

  /** A crash before the next checkpoint has a validation made again: it takes the place of what was told of it before. */
  add(report: ValidationReport): void {
    this.reports = [...this.reports.filter((before) => idOf(before) !== idOf(report)), report];
    this.write();
  }

  /** Drops the reports after an update. */
  cut(update: number): void {
    this.reports = this.reports.filter((report) => report.update <= update);
    this.write();
  }

  private write(): void {
    replaceFile(join(this.folder, VALIDATIONS), `${JSON.stringify(this.reports, null, 2)}\n`);
  }
}

const idOf = ({ stage, update, temperature }: ValidationReport) => `${stage} ${update} ${temperature}`;

/** Gives the file a name that is free, e.g. `validation-damaged-1.json`, and returns its path. */
function putAside(folder: string): string {
  const named = (n: number) => join(folder, `validation-damaged-${n}.json`);
  let n = 1;
  while (existsSync(named(n))) n++;
  renameSync(join(folder, VALIDATIONS), named(n));
  return named(n);
}
