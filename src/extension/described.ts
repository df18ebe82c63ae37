// The members of an extension: the parts of each kind, and members as plain data, for the page, which names them and never runs their code.
import { ExtensionError } from "../core/errors.ts";
import { ACTIONS } from "./actions-shape.ts";
import type { ExtensionApi, ExtensionSource, LoadedModule } from "./api.ts";
import { BACKGROUND, NEAR, PLANE_THINGS, SCENERY, SIZE } from "./plane-shape.ts";
import {
  FUNCTION,
  flag,
  ID,
  INSTRUCTIONS,
  NAMES,
  OPTIONAL_FUNCTION,
  oneOf,
  RANGE,
  SIDE,
  THINGS,
  TITLE,
  text,
  WORDS,
} from "./shape.ts";

const ENVIRONMENT = {
  id: ID,
  title: TITLE,
  description: text("An environment of your own."),
  actions: ACTIONS,
  claims: NAMES,
  words: WORDS,
  chance: flag(false),
  instructions: INSTRUCTIONS,
  start: FUNCTION,
  step: FUNCTION,
  where: FUNCTION,
  instruction: OPTIONAL_FUNCTION,
  plan: OPTIONAL_FUNCTION,
};
/** The parts of an environment on a board. */
export const BOARD = { ...ENVIRONMENT, rows: SIDE, cols: SIDE, things: THINGS };
/** The parts of an environment on a plane. */
export const PLANE = {
  ...ENVIRONMENT,
  size: SIZE,
  things: PLANE_THINGS,
  background: BACKGROUND,
  scenery: SCENERY,
  near: NEAR,
};

/** The parts of a member, by its kind. */
export const SHAPES = {
  environment: { ...BOARD, ...PLANE },
  estimator: {
    id: ID,
    title: TITLE,
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
  rewardTerm: { id: ID, title: TITLE, score: FUNCTION },
  filter: { id: ID, title: TITLE, help: text(""), comparesGroups: flag(false), apply: FUNCTION },
  metric: {
    id: ID,
    title: TITLE,
    unit: text(""),
    definition: text("A metric of your own."),
    better: oneOf("neither", "higher", "lower"),
    range: RANGE,
    healthy: text("As its author expects."),
    wrong: text("As its author says."),
    measure: FUNCTION,
  },
} satisfies { [K in keyof ExtensionApi]: Record<keyof Parameters<ExtensionApi[K]>[0], unknown> };

/** A member without its functions. */
export interface DescribedMember {
  readonly kind: keyof ExtensionApi;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** An extension with the members that were found when it was tried; houses have none. */
export interface DescribedExtension extends ExtensionSource {
  readonly members?: readonly DescribedMember[];
}

/** `own` without its functions, as a worker can send it and a browser can keep it. */
export const described = (kind: DescribedMember["kind"], own: object): DescribedMember => ({
  kind,
  parts: JSON.parse(JSON.stringify(own)),
});

/** A module with these members, for a thread that only names them: a call of one of their functions is an error. */
export function standIn(name: string, members: readonly DescribedMember[]): LoadedModule {
  const elsewhere = (): never => {
    throw new ExtensionError("failed", `The code of ${name} runs in workers only.`);
  };
  const factory = (api: ExtensionApi): void => {
    for (const { kind, parts } of members) {
      const functions = Object.entries(SHAPES[kind]).filter(([, part]) => part === FUNCTION);
      const own = { ...Object.fromEntries(functions.map(([key]) => [key, elsewhere])), ...parts };
      (api[kind] as (own: unknown) => void)(own);
    }
  };
  return { name, factory, checked: true };
}
