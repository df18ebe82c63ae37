// The registered extensions of this thread or process, and the check that a run has the ones it was made with.
import { playsHouses } from "../config/houses.ts";
import { knownIds } from "../config/rules/registered.ts";
import type { KnownIds } from "../config/rules/rule.ts";
import type { RunConfig } from "../config/run-config.ts";
import { ExtensionError } from "../core/errors.ts";
import { isHousesFile } from "../envs/navigation/houses.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { idsOf, type Registered, replaceExtensions } from "../extension/index.ts";
import type { ExtensionRecord } from "../persistence/checkpoint.ts";
import { sha256 } from "../persistence/sha256.ts";
import { loadExtensions } from "./snippet.ts";

interface Present {
  source: ExtensionSource;
  record: ExtensionRecord;
}

let present: readonly Present[] = [];

/**
 * Replaces all registered extensions. If one of the new ones fails, the old ones stay.
 * @throws ExtensionError("invalid")
 */
export async function installExtensions(sources: readonly ExtensionSource[]): Promise<readonly Registered[]> {
  const hashes = await Promise.all(sources.map(({ source }) => sha256(new TextEncoder().encode(source))));
  const registered = replaceExtensions(await loadExtensions(sources));
  present = sources.map((source, i) => ({
    source,
    record: { name: source.name, sha256: hashes[i]!, provides: registered[i]!.provides },
  }));
  return registered;
}

/** The registered extensions, for checkpoints of a run; houses only if it plays in them. */
export const extensionRecords = (config: RunConfig): readonly ExtensionRecord[] =>
  partsOf(config).map(({ record }) => record);

/** What is registered and has a part in a run. Any extension may have one, but houses are data. */
const partsOf = (config: RunConfig): readonly Present[] =>
  present.filter(({ source }) => !isHousesFile(source.name) || playsHouses(config));

/** The ids that a run's configuration may name: the registered ones and those of its own extensions. */
export function idsKnownTo(extensions: readonly ExtensionRecord[] = []): KnownIds {
  const own = extensions.flatMap(({ provides }) => provides);
  const { environments, estimators, filters, terms, houses } = knownIds();
  return {
    environments: [...environments, ...idsOf("environment", own)],
    estimators: [...estimators, ...idsOf("estimator", own)],
    filters: [...filters, ...idsOf("filter", own)],
    terms: [...terms, ...idsOf("rewardTerm", own)],
    houses: Number(idsOf("houses", own)[0] ?? houses),
  };
}

/** The texts of these extensions, to store with the run. */
export const extensionSources = (config: RunConfig): readonly ExtensionSource[] =>
  partsOf(config).map(({ source }) => source);

/**
 * Checks that every extension of a run is registered with the same text.
 * @param remedy the hint for a missing extension.
 * @throws ExtensionError("missing") naming the first that is missing or has another text.
 */
export function assertExtensions(
  needed: readonly ExtensionRecord[] = [],
  remedy: (name: string) => string,
): void {
  const registered = present.map(({ record }) => record);
  const missing = needed.find(({ sha256 }) => !registered.some((record) => record.sha256 === sha256));
  if (!missing) return;
  const { name, provides } = missing;
  const other = registered.find((record) => record.name === name);
  const short = (hash: string) => `${hash.slice(0, 12)}…`;
  const [what, state] = isHousesFile(name) ? ["file of houses", "loaded"] : ["extension", "registered"];
  throw new ExtensionError(
    "missing",
    other
      ? `The ${what} ${name} is not the one that the run was made with: its SHA-256 is ${short(other.sha256)}, expected ${short(missing.sha256)}.`
      : `The run was made with the ${what} ${name} (${provides.join(", ")}), which is not ${state}.`,
    remedy(name),
  );
}
