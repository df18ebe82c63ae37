// Extensions: environments, estimators, reward terms, filters and metrics that are added while the program runs.
import { ownTemplate, ownTemplates } from "../agent/templates/own.ts";
import { ConfigError, ExtensionError } from "../core/errors.ts";
import { failureText } from "../core/failure.ts";
import { withinSteps } from "../core/step-limit.ts";
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/index.ts";
import { ownActions } from "../envs/own/actions.ts";
import { ownEnvironment } from "../envs/own/index.ts";
import { isPlane, type OwnEnvironment } from "../envs/own/own.ts";
import { ownWorlds, planeWords } from "../envs/own/plane-words.ts";
import { estimators } from "../rl/advantage/index.ts";
import { filters } from "../rl/filter/index.ts";
import { batchMetrics } from "../rl/metric/index.ts";
import { rewardTerms } from "../rl/reward/index.ts";
import { assertSearchable } from "./actions-shape.ts";
import type {
  ExtensionApi,
  ExtensionFactory,
  LoadedExtension,
  LoadedModule,
  OwnEstimator,
  OwnFilter,
  OwnMetric,
  OwnRewardTerm,
  OwnWorld,
} from "./api.ts";
import { type CheckLine, checkEnvironment, checksText } from "./check-environment.ts";
import { boardLanguage, type Language, planeLanguage } from "./check-language.ts";
import { BOARD, type DescribedMember, described, PLANE, SHAPES } from "./described.ts";
import { guardedEstimator, guardedFilter, guardedMetric, guardedTerm } from "./guard.ts";
import { assertOneHouses, housesMember } from "./houses.ts";
import { assertDrawable, hasSize } from "./plane-shape.ts";
import { invalid, nounOf, shaped } from "./shape.ts";

/** An extension with its members, by kind: `rewardTerm shorter`. */
export interface Registered {
  readonly name: string;
  readonly provides: readonly string[];
}

type Kind = keyof ExtensionApi | "houses";

/** One thing of an extension, and how it gets into its registry and out again. */
interface Member {
  readonly kind: Kind;
  readonly id: string;
  enter(): () => void;
  /** Of a module's: what of it is data. */
  readonly described?: DescribedMember;
  /** If it is one. */
  readonly environment?: CheckedSpec;
}
/** An environment, and the lines of its contract. */
interface CheckedSpec {
  readonly spec: EnvSpec;
  check(): CheckLine[];
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
  assertOneHouses(extensions);
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
  for (const [i, { name, members }] of extensions.entries())
    for (const [j, member] of members.entries()) {
      assertFree(name, member, [...extensions.slice(0, i), { name, members: members.slice(0, j) }]);
      exits.push(entered(name, member));
    }
  present = extensions;
}

/** @throws ExtensionError("invalid") if one of those that have been registered has the member's id. */
function assertFree(name: string, { kind, id }: Member, earlier: readonly Extension[]): void {
  const owner = earlier.find(({ members }) => members.some((own) => own.kind === kind && own.id === id));
  if (owner?.name === name)
    throw invalid(name, `it adds the ${nounOf(kind)} "${id}" twice.`, "Give each an id of its own.");
  if (owner)
    throw invalid(
      name,
      `the extension "${owner.name}" has the ${nounOf(kind)} "${id}" already.`,
      `Choose another id, or add it under the name "${owner.name}", which replaces that one.`,
    );
}

function entered(name: string, { enter }: Member): () => void {
  try {
    return enter();
  } catch (error) {
    if (error instanceof ConfigError) throw invalid(name, error.message, error.hint ?? "");
    throw error;
  }
}

/** What an extension wants to add. Nothing is registered yet. */
const collect = (extension: LoadedExtension): Extension =>
  "homes" in extension
    ? { name: extension.name, members: [housesMember(extension)] }
    : collectFrom(extension);

/** Runs the extension's function. */
function collectFrom({ name, factory, checked }: LoadedModule): Extension {
  if (typeof factory !== "function")
    throw invalid(
      name,
      "it exports no function as its default.",
      "Begin with: export default ({ environment, estimator, rewardTerm, filter, metric }) => { … }",
    );
  const members: Member[] = [];
  run(
    name,
    factory as ExtensionFactory,
    collector(name, (member) => void members.push(member), checked),
  );
  if (members.length === 0)
    throw invalid(
      name,
      "it adds nothing.",
      "Call environment, estimator, rewardTerm, filter or metric in its function.",
    );
  return { name, members };
}

function run(name: string, factory: ExtensionFactory, api: ExtensionApi): void {
  try {
    // An async function would add its things too late; its result reveals it.
    const result: unknown = withinSteps(() => factory(api));
    if (result instanceof Promise)
      throw invalid(name, "its function is async.", "Add everything before it returns; load nothing in it.");
  } catch (error) {
    if (error instanceof ExtensionError) throw error;
    throw invalid(name, `its function ${failureText(error)}.`, "Correct it and add it again.");
  }
}

/** The environments of an extension, which is not registered. @throws ExtensionError("invalid") */
export function environmentsIn(extension: LoadedExtension): EnvSpec[] {
  return collect(extension).members.flatMap(({ environment }) => environment?.spec ?? []);
}

/** What was found when a module was tried. */
export interface Tried {
  readonly members: readonly DescribedMember[];
  /** The checks of each of its environments, under the environment's title. */
  readonly reports: readonly { readonly title: string; readonly lines: readonly CheckLine[] }[];
}

/** Reads the members of a module and checks its environments. Nothing is registered. @throws ExtensionError("invalid") */
export function tried(module: LoadedModule): Tried {
  const { members } = collectFrom(module);
  return {
    members: members.flatMap((member) => member.described ?? []),
    reports: members.flatMap(({ environment: own }) =>
      own ? { title: own.spec.title, lines: own.check() } : [],
    ),
  };
}

/** @throws ConfigError("invalid_config") with the checks that failed. */
function assertContract({ spec, check }: CheckedSpec): void {
  const lines = check();
  const failed = lines.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0)
    throw new ConfigError(
      "invalid_config",
      `in the environment "${spec.id}", ${checksText(lines)}. ${failed.map((line) => `Failed: ${line.check}. ${line.found}`).join(" ")}`,
      "Correct it and add it again. The file docs/extending.md in the studio's source code explains the contract.",
    );
}

/** An environment, and what is registered beside it. */
interface OwnMember {
  spec: EnvSpec;
  template: ReturnType<typeof ownTemplate>;
  /** Of a plane. */
  world: ReturnType<typeof planeWords> | null;
}

function memberOf(own: OwnEnvironment): OwnMember {
  const spec = ownEnvironment(own);
  return { spec, template: ownTemplate(own, spec), world: isPlane(own) ? planeWords(own) : null };
}

/** What the contract reads back: all that is said of a plane, and of a board if it has words of its own. */
const languageOf = (own: OwnEnvironment, { spec, template, world }: OwnMember): Language | undefined =>
  world ? planeLanguage(template, world.claimRules!({})) : own.words && boardLanguage(template, spec);

/** @throws ExtensionError("invalid") for instructions that no level gives, or a function that has none to give. */
function assertInstructed(name: string, { id, instruction, instructions }: OwnEnvironment): void {
  if ((instruction === undefined) === (instructions === undefined)) return;
  const [has, lacks, remedy] = instruction
    ? [
        "instruction",
        "instructions",
        'Add instructions, the list of all that it may return, e.g. ["go to the key", "go to the door"].',
      ]
    : [
        "instructions",
        "instruction",
        "Add instruction, a function of a state that returns the instruction of its level.",
      ];
  throw invalid(name, `the environment "${id}" has ${has} and lacks ${lacks}.`, remedy);
}

/** @throws ExtensionError("invalid") for chance without a plan, because a search would see the chances to come. */
function assertPlanned(name: string, { id, chance, plan }: OwnEnvironment): void {
  if (!chance || plan !== undefined) return;
  throw invalid(
    name,
    `the environment "${id}" has chance and lacks plan.`,
    "Add plan, a function of a state that returns the actions to take from there if all goes well.",
  );
}

/** Adds an environment and its language. */
function enterEnvironment({ spec, template, world }: OwnMember): () => void {
  const exits = [envs.add(spec), ownTemplates.add(template), ...(world ? [ownWorlds.add(world)] : [])];
  return () => {
    for (const exit of exits) exit();
  };
}

/** The functions that an extension's own function is handed. */
function collector(name: string, add: (member: Member) => void, checked = false): ExtensionApi {
  const read = <T extends { id: string; title?: string }>(
    kind: DescribedMember["kind"],
    given: unknown,
    shape: Parameters<typeof shaped>[3] = SHAPES[kind],
  ) => {
    const own = shaped<Required<T>>(name, kind, given, shape);
    return { ...own, title: own.title || own.id };
  };
  const addMember = (
    kind: DescribedMember["kind"],
    own: { id: string },
    enter: Member["enter"],
    environment?: CheckedSpec,
  ) => add({ kind, id: own.id, enter, described: described(kind, own), ...(environment && { environment }) });
  return {
    environment(given) {
      const shape = hasSize(name, given) ? PLANE : BOARD;
      const own = read<OwnWorld>("environment", given, shape) as OwnEnvironment;
      const unknown = own.claims.find((claim) => claim === "player" || !Object.hasOwn(own.things, claim));
      if (own.claims.length === 0 || unknown !== undefined)
        throw invalid(
          name,
          `claims of the environment "${own.id}" are [${own.claims.join(", ")}]; they must name at least one thing besides the player.`,
          "Name a thing that always has one place, such as the goal.",
        );
      if (isPlane(own)) assertDrawable(name, own);
      // A thread that only names an environment has its data, and none of its functions.
      if (!checked) {
        assertInstructed(name, own);
        assertSearchable(name, own);
        assertPlanned(name, own);
      }
      const member = memberOf(own);
      const { spec } = member;
      const { any } = ownActions(own.actions);
      const environment = { spec, check: () => checkEnvironment(spec, languageOf(own, member), any) };
      // A check may take seconds; what comes back after another extension was refused needs no second one.
      let keepsContract = checked;
      const enter = () => {
        if (!keepsContract) assertContract(environment);
        keepsContract = true;
        return enterEnvironment(member);
      };
      addMember("environment", own, enter, environment);
    },
    estimator(given) {
      const own = guardedEstimator(read<OwnEstimator>("estimator", given));
      addMember("estimator", own, () => estimators.add(own));
    },
    rewardTerm(given) {
      const own = guardedTerm(read<OwnRewardTerm>("rewardTerm", given));
      addMember("rewardTerm", own, () => rewardTerms.add(own));
    },
    filter(given) {
      const own = guardedFilter(read<OwnFilter>("filter", given));
      addMember("filter", own, () => filters.add(own));
    },
    metric(given) {
      const own = guardedMetric(read<OwnMetric>("metric", given));
      addMember("metric", own, () => batchMetrics.add(own));
    },
  };
}
