// Entries of a dataset to validate on beyond the first: sets of levels with metrics of their own.
import { VALIDATION_FIRST_SEED } from "../run-config.ts";
import { type ImportContext, sourceFor, specOf } from "./context.ts";
import { taskFindings } from "./dataset-findings.ts";
import type { Finding } from "./findings.ts";
import { readSeedKeys } from "./keys/seeds.ts";
import type { DatasetEntry } from "./parse/file.ts";

/** One finding for all entries to validate on beyond the first: their levels, and the options in which they differ from it. */
export function validationSetFindings(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  main: DatasetEntry | undefined,
): Finding[] {
  if (!main) return [];
  const further = entries.filter(
    (entry) => entry !== main && entry.split === "val" && specOf(entry) === context.spec,
  );
  if (further.length === 0) return [];
  const sets: Record<string, object> = {};
  for (const entry of further) {
    const name = nameOfEntry(entry, "set", [context.spec.id, ...Object.keys(sets)]);
    sets[name] = { seeds: seedsOfEntry(context, entry), config: differingOptions(context, entry, main) };
  }
  const path = "trainer.val_sets";
  const remark = "Their metrics have these names: val-core/<name>/reward/mean@n.";
  return [{ kind: "applied", key: "envs", value: Object.keys(sets), path, ours: sets, remark }];
}

/** Lite's name of a group of metrics, made unique. */
export function nameOfEntry({ keys }: DatasetEntry, otherwise: string, taken: readonly string[]): string {
  const given = keys.find(({ key }) => key === "data_source") ?? keys.find(({ key }) => key === "tag_id");
  const name = String(given?.value ?? otherwise)
    .replace(/[^\w.-]+/g, "_")
    .slice(0, 50);
  const free = [name, ...taken.map((_, i) => `${name}_${i + 2}`)].find((other) => !taken.includes(other));
  return free ?? `${name}_${taken.length + 2}`;
}

/** The levels that an entry validates on. */
export function seedsOfEntry(context: ImportContext, entry: DatasetEntry): string {
  const read = readSeedKeys(sourceFor(context, entry));
  if ("value" in read) return String(read.value);
  const count = Number(entry.keys.find(({ key }) => key === "n_envs")?.value ?? 100);
  return `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + count - 1}`;
}

function differingOptions(context: ImportContext, entry: DatasetEntry, main: DatasetEntry): object {
  const applied = (of: DatasetEntry) =>
    new Map(
      of.keys
        .flatMap((key) => taskFindings(context, key, of))
        .flatMap((finding) =>
          finding.kind === "applied" && finding.path.startsWith(OPTIONS)
            ? [[finding.path.slice(OPTIONS.length), finding.ours] as const]
            : [],
        ),
    );
  const others = applied(main);
  const differing = [...applied(entry)].filter(
    ([option, value]) => JSON.stringify(value) !== JSON.stringify(others.get(option)),
  );
  return Object.fromEntries(differing);
}

const OPTIONS = "env.config.";
