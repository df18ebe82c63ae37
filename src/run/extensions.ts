// The extensions of this thread or process, and whether a run has those that it was made with.
import { knownIds } from "../config/rules/registered.ts";
import type { KnownIds } from "../config/rules/rule.ts";
import { ExtensionError } from "../core/errors.ts";
import type { ExtensionRecord } from "../persistence/checkpoint.ts";
import { sha256 } from "../persistence/sha256.ts";
import type { ExtensionSource } from "../rl/extension/api.ts";
import { idsOf, type Registered, replaceExtensions } from "../rl/extension/index.ts";
import { loadExtension } from "./snippet.ts";

interface Present {
  source: ExtensionSource;
  record: ExtensionRecord;
}

let present: readonly Present[] = [];

/**
 * Reads and registers these extensions in place of all that there were; when one fails, those that were there stay.
 * @throws ExtensionError("invalid")
 */
export async function installExtensions(sources: readonly ExtensionSource[]): Promise<readonly Registered[]> {
  const hashes = await Promise.all(sources.map(({ source }) => sha256(new TextEncoder().encode(source))));
  const registered = replaceExtensions(await Promise.all(sources.map(loadExtension)));
  present = sources.map((source, i) => ({
    source,
    record: { name: source.name, sha256: hashes[i]!, provides: registered[i]!.provides },
  }));
  return registered;
}

/** For the checkpoint: what is registered now. */
export const extensionRecords = (): readonly ExtensionRecord[] => present.map(({ record }) => record);

/** The ids that a run's configuration may name: what is registered, and what its own extensions add, registered or not. */
export function idsKnownTo(extensions: readonly ExtensionRecord[] = []): KnownIds {
  const own = extensions.flatMap(({ provides }) => provides);
  const { estimators, filters, terms } = knownIds();
  return {
    estimators: [...estimators, ...idsOf("estimator", own)],
    filters: [...filters, ...idsOf("filter", own)],
    terms: [...terms, ...idsOf("rewardTerm", own)],
  };
}

/** For whoever keeps the texts with a run. */
export const extensionSources = (): readonly ExtensionSource[] => present.map(({ source }) => source);

/**
 * Whether everything that a run was made with is registered now, text for text.
 * @param remedy what to do about one that is missing.
 * @throws ExtensionError("missing") that names the first that is not there or has another text.
 */
export function assertExtensions(
  needed: readonly ExtensionRecord[] = [],
  remedy: (name: string) => string,
): void {
  const there = extensionRecords();
  const lacking = needed.find(({ sha256 }) => !there.some((record) => record.sha256 === sha256));
  if (!lacking) return;
  const { name, provides } = lacking;
  const other = there.find((record) => record.name === name);
  const short = (hash: string) => `${hash.slice(0, 12)}…`;
  throw new ExtensionError(
    "missing",
    other
      ? `The extension ${name} is not the one that the run was made with: its SHA-256 is ${short(other.sha256)}, expected ${short(lacking.sha256)}.`
      : `The run was made with the extension ${name} (${provides.join(", ")}), which is not there.`,
    remedy(name),
  );
}
