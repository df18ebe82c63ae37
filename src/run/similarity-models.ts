// The models of the user's that compare drawings in a run. A run that is built again, after its device was lost, finds them open.
import { paidModels, type WeighedModel } from "../config/paid-models.ts";
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError, PolicyError, StudioError } from "../core/errors.ts";
import { type Message, message, setting, value } from "../core/message.ts";
import { createMutex } from "../core/mutex.ts";
import type { Drawings } from "../envs/env.ts";
import { type DrawnPair, DrawnSimilarity } from "../onnx/drawn-similarity.ts";
import type { ImageSimilarity } from "../onnx/image-similarity.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";
import { macrotask } from "../training/macrotask.ts";

/** Where models come from; the page and the command line implement it. */
interface SimilarityHost {
  /** Kinds of the models that the user gave. */
  readonly kinds: readonly string[];
  /** Opens the given model of a kind. @throws an error that names the file, if it has no such model */
  open(kind: string): Promise<ImageSimilarity>;
  /** How the user gives a model of a kind, without a full stop. */
  howToGive(kind: string): Message;
}

/** What draws the code of drawings; its environment is loaded. */
type Drawer = Pick<Drawings, "picture">;

/** Of a model of 1,024 values 8 MiB. */
const MOST_EMBEDDINGS = 2048;

/** The models that a user gave, each opened when it is first needed and open until `release`. */
export class SimilarityModels {
  private readonly models = new Map<string, Promise<ImageSimilarity>>();
  private readonly comparing = new WeakMap<ImageSimilarity, DrawnSimilarity>();
  /** The models may share a runtime, which must not be entered twice. */
  private readonly calls = createMutex();
  private isReleased = false;

  constructor(readonly host: SimilarityHost) {}

  /** Opens the given model of a kind. @throws what the host throws; the next call then tries again. Error after `release` */
  open(kind: string): Promise<ImageSimilarity> {
    return this.models.get(kind) ?? this.opening(kind, () => this.host.open(kind));
  }

  /**
   * Opens another model of a kind in place of the one before, which is released first: there may not be room for both. Should that fail, the
   * host's is opened again.
   * @throws what `open` throws
   */
  async replace(kind: string, open: () => Promise<ImageSimilarity>): Promise<void> {
    const last = this.models.get(kind);
    let taken: Promise<ImageSimilarity> | undefined;
    const current = this.opening(kind, async () => {
      await last?.then(released, () => undefined);
      taken = open();
      return taken.catch(() => this.host.open(kind));
    });
    // What is wrong with the new one is what the caller asked, even if the one before cannot be opened either.
    await current.catch(() => undefined);
    await taken;
  }

  private opening(kind: string, open: () => Promise<ImageSimilarity>): Promise<ImageSimilarity> {
    const model = this.calls.run(() => {
      // A run that is stopped while it is built may still ask for its next model.
      if (this.isReleased) throw new Error("the models were released");
      return open();
    });
    this.models.set(kind, model);
    model.catch(() => this.models.get(kind) === model && this.models.delete(kind));
    return model;
  }

  /**
   * How similar a drawing and its icon look to the given model of a kind, between 0 and 1.
   * @throws PolicyError where the model cannot say it; the signal's reason when aborted
   */
  async compare(kind: string, pair: DrawnPair, drawer: Drawer, signal?: AbortSignal): Promise<number> {
    // The runtime computes without a pause, in which messages could arrive.
    const pause = async () => {
      await macrotask();
      signal?.throwIfAborted();
    };
    for (;;) {
      const opening = this.open(kind);
      const model = this.drawn(await opening, drawer);
      const isCurrent = () => this.models.get(kind) === opening;
      const score = await this.calls
        .run(async () => (isCurrent() ? model.compare(pair, pause) : null))
        .catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : failed(kind, error);
        });
      // Another model has taken its place meanwhile.
      if (score !== null) return score;
    }
  }

  /** Frees the memory of the models, which cannot be used any more. */
  async release(): Promise<void> {
    this.isReleased = true;
    const models = await Promise.allSettled(this.models.values());
    await this.calls.run(async () => {
      for (const one of models) if (one.status === "fulfilled") await released(one.value);
    });
  }

  private drawn(model: ImageSimilarity, { picture }: Drawer): DrawnSimilarity {
    const present = this.comparing.get(model) ?? new DrawnSimilarity(model, picture, MOST_EMBEDDINGS);
    this.comparing.set(model, present);
    return present;
  }
}

/** A session that cannot be released is of no use either way. */
const released = (model: ImageSimilarity): Promise<void> => model.release().catch(() => undefined);

const titleOf = (kind: string): string => similarityKinds.get(kind).title;

/** Not a non-finite number of the run's own, which would mean that it has diverged. */
function failed(kind: string, cause: unknown): PolicyError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = (cause instanceof StudioError && cause.hint) || "Give another model.";
  return new PolicyError(
    "wrong_architecture",
    `The ${titleOf(kind)} model could not compare a drawing with its icon: ${reason}`,
    `${hint} A run that was training can be resumed from its last checkpoint.`,
    { cause },
  );
}

/**
 * Opens the models that a checked configuration pays.
 * @param isResumed the run has begun, so its weights cannot be changed.
 * @throws ConfigError if one of them was not given; what the host throws for a file that is no such model
 */
export async function openPaidModels(
  config: RunConfig,
  models: SimilarityModels | undefined,
  isResumed = false,
): Promise<void> {
  const paid = paidModels(config);
  const missing = paid.find(({ kind }) => !models?.host.kinds.includes(kind));
  if (missing) throw notGiven(missing, models?.host, isResumed);
  for (const { kind } of paid) await models!.open(kind);
}

function notGiven(
  { kind, path, weight }: WeighedModel,
  host: SimilarityHost | undefined,
  isResumed: boolean,
): ConfigError {
  const otherwise = message`set ${setting(path)} to 0`;
  const given =
    host && (isResumed ? host.howToGive(kind) : message`${host.howToGive(kind)}, or ${otherwise}`);
  return new ConfigError(
    "invalid_config",
    message`${setting(path)} is ${value(path, weight)}, but no ${titleOf(kind)} model was given.`,
    given ? message`${given}.` : message`Only a run without models can be opened here: ${otherwise}.`,
  );
}
