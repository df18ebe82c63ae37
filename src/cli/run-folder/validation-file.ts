// The validations of a run, in a file that is complete at any time.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../core/errors.ts";
import { z } from "../../core/schema.ts";
import { replaceFile } from "../../persistence/node-files.ts";
import type { ValidationReport } from "../../training/events.ts";
import { putAside } from "./lines.ts";

/** Name of the file in a run's folder. */
const VALIDATIONS = "validation.json";

/** Only the fields that readers use are checked; the others are kept as the run wrote them. */
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

/** The validations in a run's folder; none without the file. @throws ConfigError naming a damaged file. */
export function readValidations(folder: string): ValidationReport[] {
  const file = join(folder, VALIDATIONS);
  if (!existsSync(file)) return [];
  try {
    return Reports.parse(JSON.parse(readFileSync(file, "utf8"))) as unknown as ValidationReport[];
  } catch (cause) {
    throw new ConfigError(
      "invalid_config",
      `${file} cannot be read as the validations of a run.`,
      "Move the file away: the run then is reported without the validations in it. Or move its folder away to train it again.",
      { cause },
    );
  }
}

/** The file while its run trains. */
export class Validations {
  private reports: readonly ValidationReport[];

  /** A resumed run adds to its earlier reports. A damaged file is renamed and reported through `say`. */
  constructor(
    private readonly folder: string,
    say: (line: string) => void,
  ) {
    try {
      this.reports = readValidations(folder);
    } catch (error) {
      this.reports = [];
      const aside = putAside(join(folder, VALIDATIONS), "damaged");
      say(`warning: ${(error as Error).message} It is kept as ${aside}, and a new one begins.`);
    }
  }

  /** After a crash a validation may be repeated; it replaces the earlier report. */
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
