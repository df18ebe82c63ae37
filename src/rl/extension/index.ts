// Extensions: estimators, reward terms, filters and metrics that are added while the program runs.
import { ConfigError, ExtensionError } from "../../core/errors.ts";
import { estimators } from "../advantage/index.ts";
import { filters } from "../filter/index.ts";
import { batchMetrics } from "../metric/index.ts";
import { rewardTerms } from "../reward/index.ts";
import type {
  ExtensionApi,
  ExtensionFactory,
  LoadedExtension,
  OwnEstimator,
  OwnFilter,
  OwnMetric,
  OwnRewardTerm,
} from "./api.ts";
import { guardedEstimator, guardedFilter, guardedMetric, guardedTerm } from "./guard.ts";
import { FUNCTION, flag, ID, invalid, oneOf, RANGE, shaped, text } from "./shape.ts";

/** An extension with its members, by kind: `rewardTerm shorter`. */
export interface Registered {
  readonly name: string;
  readonly provides: readonly string[];
}

const SHAPES = {
  estimator: {
    id: ID,
    title: text(""),
    help: text(""),
    usesGamma: flag(true),
    usesLambda: flag(true),
    usesTurnGamma: flag(true),
    valueTokens: oneOf("trained", "turn_end", "turn_start", "none"),
    whitenOver: oneOf("policy", "turn_end", "none"),
    usesEveryToken: flag(false),
    comparesGroups: flag(false),
    estimate: FUNCTION,
  },
  rewardTerm: { id: ID, title: text(""), score: FUNCTION },
  filter: { id: ID, title: text(""), help: text(""), comparesGroups: flag(false), apply: FUNCTION },
  metric: {
    id: ID,
    title: text(""),
    unit: text(""),
    definition: text("A metric of your own."),
    better: oneOf("neither", "higher", "lower"),
    range: RANGE,
    healthy: text("As its author expects."),
    wrong: text("As its author says."),
    measure: FUNCTION,
  },
} satisfies Record<keyof ExtensionApi, object>;

type Kind = keyof typeof SHAPES;

/** One thing of an extension, and how it gets into its registry and out again. */
interface Member {
  readonly kind: Kind;
  readonly id: string;
  enter(): () => void;
}
interface Extension {
  readonly name: string;
  readonly members: readonly Member[];
}

let present: readonly Extension[] = [];
let exits: (() => void)[] = [];

/** What is registered now, in order. */
export const registered = (): readonly Registered[] =>
  present.map(({ name, members }) => ({ name, provides: members.map(({ kind, id }) => `${kind} ${id}`) }));

/** The ids of one kind among `provides`. */
export const idsOf = (kind: Kind, provides: readonly string[]): string[] =>
  provides.flatMap((member) => (member.startsWith(`${kind} `) ? [member.slice(kind.length + 1)] : []));

/**
 * Registers these extensions in place of all that were registered before; when one of them cannot be, those that were there
 * stay. @throws ExtensionError("invalid") that names the extension and what is wrong with it.
 */
export function replaceExtensions(extensions: readonly LoadedExtension[]): readonly Registered[] {
  const next = extensions.map(collect);
  const before = present;
  try {
    enlist(next);
  } catch (error) {
    enlist(before);
    throw error;
  }
  return registered();
}

/** Puts every member into its registry, in place of those that are there. */
function enlist(extensions: readonly Extension[]): void {
  for (const exit of exits) exit();
  exits = [];
  present = [];
  for (const { name, members } of extensions) for (const member of members) exits.push(entered(name, member));
  present = extensions;
}

function entered(name: string, { enter }: Member): () => void {
  try {
    return enter();
  } catch (error) {
    if (error instanceof ConfigError) throw invalid(name, error.message, error.hint ?? "");
    throw error;
  }
}

/** Runs the extension's function and gathers what it wants to add. Nothing is registered yet. */
function collect({ name, factory }: LoadedExtension): Extension {
  if (typeof factory !== "function")
    throw invalid(
      name,
      "it exports no function as its default.",
      "Begin with: export default ({ estimator, rewardTerm, filter, metric }) => { … }",
    );
  const members: Member[] = [];
  const add = (kind: Kind, id: string, enter: Member["enter"]) => void members.push({ kind, id, enter });
  run(name, factory as ExtensionFactory, collector(name, add));
  if (members.length === 0)
    throw invalid(name, "it adds nothing.", "Call estimator, rewardTerm, filter or metric in its function.");
  return { name, members };
}

function run(name: string, factory: ExtensionFactory, api: ExtensionApi): void {
  try {
    // An async function would add its things too late; its result reveals it.
    const result: unknown = factory(api);
    if (result instanceof Promise)
      throw invalid(name, "its function is async.", "Add everything before it returns; load nothing in it.");
  } catch (error) {
    if (error instanceof ExtensionError) throw error;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw invalid(name, `its function failed: ${what}.`, "Correct it and add it again.");
  }
}

/** The functions that an extension's own function is handed. */
function collector(
  name: string,
  add: (kind: Kind, id: string, enter: Member["enter"]) => void,
): ExtensionApi {
  const read = <T extends { id: string; title?: string }>(kind: Kind, given: unknown): Required<T> => {
    const own = shaped<Required<T>>(name, kind, given, SHAPES[kind]);
    return { ...own, title: own.title || own.id };
  };
  return {
    estimator(given) {
      const own = guardedEstimator(read<OwnEstimator>("estimator", given));
      add("estimator", own.id, () => estimators.add(own));
    },
    rewardTerm(given) {
      const own = guardedTerm(read<OwnRewardTerm>("rewardTerm", given));
      add("rewardTerm", own.id, () => rewardTerms.add(own));
    },
    filter(given) {
      const own = guardedFilter(read<OwnFilter>("filter", given));
      add("filter", own.id, () => filters.add(own));
    },
    metric(given) {
      const own = guardedMetric(read<OwnMetric>("metric", given));
      add("metric", own.id, () => batchMetrics.add(own));
    },
  };
}
