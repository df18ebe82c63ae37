// What an extension may add to the studio, and what it may leave out of each thing. Authors have the same types in
// docs/examples/vagen-extension.d.ts.

import type { Home } from "../envs/navigation/home.ts";
import type { Look, OwnBoard, OwnPlane, OwnRules, PlaneLook } from "../envs/own/own.ts";
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens } from "../rl/advantage/estimator.ts";
import type { BatchFilter, FilterOptions, Scored } from "../rl/filter/index.ts";
import type { BatchMetric } from "../rl/metric/index.ts";
import type { RewardTerm } from "../rl/reward/index.ts";

/** What an estimator of one's own returns: N numbers each; `valueMask` where it differs from `valueTokens`. */
interface OwnAdvantages {
  readonly advantages: ArrayLike<number>;
  readonly returns: ArrayLike<number>;
  readonly valueMask?: ArrayLike<number>;
}

type EstimatorOption =
  | "title"
  | "help"
  | "usesGamma"
  | "usesLambda"
  | "usesTurnGamma"
  | "valueTokens"
  | "whitenOver"
  | "usesEveryToken"
  | "comparesGroups";

/** By default an estimator uses γ of turns, trains the value of every trained token and is whitened over them. */
export type OwnEstimator = Pick<AdvantageEstimator, "id"> &
  Partial<Pick<AdvantageEstimator, EstimatorOption>> & {
    estimate(tokens: AdvantageTokens, params: AdvantageParams): OwnAdvantages;
  };

export type OwnRewardTerm = Pick<RewardTerm, "id" | "score"> & Partial<RewardTerm>;

/** `scale` is 1 and `metrics` are empty when left out. */
export type OwnFilter = Pick<BatchFilter, "id"> &
  Partial<Omit<BatchFilter, "id" | "apply">> & {
    apply(
      episodes: readonly Scored[],
      options: FilterOptions,
    ): {
      keep: readonly boolean[];
      scale?: number;
      metrics?: Readonly<Record<string, number>>;
    };
  };

export type OwnMetric = Pick<BatchMetric, "id" | "measure"> & Partial<BatchMetric>;

/** How a thing looks: on a board it has a symbol, on a plane what else is here. */
interface OwnLook {
  readonly color: Look["color"];
  readonly shape: Look["shape"];
  readonly symbol?: Look["symbol"];
  readonly size?: PlaneLook["size"];
  readonly fixed?: PlaneLook["fixed"];
  readonly most?: PlaneLook["most"];
}

/**
 * An environment as it is handed over: a board has `rows` and `cols`, a plane `size` (`shape.ts` checks that). Title, description, words,
 * chance and plan may be left out.
 */
export type OwnWorld<S = unknown> = Pick<
  OwnRules<S>,
  "id" | "actions" | "claims" | "start" | "step" | "where"
> &
  Partial<OwnRules<S>> &
  Partial<Pick<OwnBoard, "rows" | "cols">> &
  Partial<Pick<OwnPlane, "size" | "background" | "scenery" | "near">> & {
    readonly things: Readonly<Record<string, OwnLook>>;
  };

/** Handed to the function that an extension exports. */
export interface ExtensionApi {
  environment<S>(own: OwnWorld<S>): void;
  estimator(own: OwnEstimator): void;
  rewardTerm(own: OwnRewardTerm): void;
  filter(own: OwnFilter): void;
  metric(own: OwnMetric): void;
}

/** The default export of an extension. */
export type ExtensionFactory = (api: ExtensionApi) => void;

/** The text of an extension: one JavaScript module without imports, or ProcTHOR houses (`isHousesFile`). */
export interface ExtensionSource {
  /** What people call it: a file's name, or one that was typed. */
  readonly name: string;
  readonly source: string;
  /**
   * The environments of this very text have kept the contract already, so registering it checks nothing again. The page says so to its
   * workers, and the command line of a plugin that it has tried; what comes from anywhere else is not believed.
   */
  readonly checked?: true;
}

/** An extension whose text has been read: the default export of a module, whatever that is, or houses. */
export type LoadedExtension = LoadedModule | LoadedHouses;
export interface LoadedModule {
  readonly name: string;
  readonly factory: unknown;
  /** As in `ExtensionSource`. */
  readonly checked?: true;
}
export interface LoadedHouses {
  readonly name: string;
  readonly homes: readonly Home[];
}
