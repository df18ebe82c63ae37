// The numbers of a chart as columns: what its table shows and its file holds, unsmoothed and of the whole run.
import { findMetric } from "../metrics/dictionary.ts";
import type { Figure } from "./figure.ts";
import type { FigurePoint } from "./points.ts";

export interface Column {
  label: string;
  /** Empty for pure numbers; shares are fractions of 1. */
  unit: string;
  /** By update. */
  values: ReadonlyMap<number, number>;
  /** 95 % interval by update, of success rates. */
  intervals?: ReadonlyMap<number, readonly [number, number]>;
}

type Drawn = Pick<Figure, "lines" | "compared" | "validations" | "share">;

/** A column for each line, those of other runs too, and one for each way in which it was validated. */
export function columnsOf({ lines, compared, validations: validationsOf, share }: Drawn): Column[] {
  const validations = validationsOf();
  const alone = lines.length === 1 && validations.length > 0;
  const trained = [...lines, ...compared].map(({ key, label, updates, raw }) => ({
    label: alone ? `${label}, training` : label,
    unit: share ? SHARE_UNIT : (findMetric(key)?.unit ?? ""),
    values: new Map(Array.from(updates, (update, i) => [update, raw[i]!])),
  }));
  const unit = trained[0]?.unit ?? (share ? SHARE_UNIT : "");
  const labels = [...new Set(validations.map(({ label }) => label))];
  const validated = labels.flatMap((label) =>
    [false, true].flatMap((greedy) =>
      validationColumns(
        `${label}, ${greedy ? "greedy validation" : "validation"}`,
        unit,
        validations.filter((point) => point.label === label && point.greedy === greedy),
      ),
    ),
  );
  return [...trained, ...validated];
}

const SHARE_UNIT = "0–1";

function validationColumns(label: string, unit: string, points: readonly FigurePoint[]): Column[] {
  if (points.length === 0) return [];
  const values = new Map(points.map(({ update, y }) => [update, y]));
  if (points.some(({ successes }) => successes === null)) return [{ label, unit, values }];
  const intervals = new Map(
    points.map(({ update, y, error: [down, up] }) => [update, [y - down, y + up] as const]),
  );
  return [{ label, unit, values, intervals }];
}

/** Every update that a column has a value of, in order. */
export function updatesOf(columns: readonly Column[]): number[] {
  return [...new Set(columns.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
}
