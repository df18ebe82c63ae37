// How similar pictures look to a model, given as the code that draws them. All drawings of an episode share what they are to show, and
// so do episodes of one level, so pictures that were computed are remembered.
import type { Frame } from "../core/types.ts";
import type { ImageSimilarity } from "./image-similarity.ts";

/** A drawing and what it is to show, both as code. */
export interface DrawnPair {
  icon: string;
  drawing: string;
}

/** Draws code as a picture, `side` pixels wide and high: always the same one. */
type DrawCode = (code: string, side: number) => Frame;

/** Compares pictures by a model. */
export class DrawnSimilarity {
  /** By code; the one that was used last comes last. */
  private readonly embeddings = new Map<string, Float32Array>();

  /** @param most embeddings that are remembered */
  constructor(
    private readonly model: ImageSimilarity,
    private readonly draw: DrawCode,
    private readonly most: number,
  ) {}

  /**
   * The score of a pair, between 0 and 1. Equal code needs no model.
   * @param pause is awaited before each picture that is computed, which takes a while; what it throws ends the comparison.
   * @throws PolicyError for an output that is no embedding
   */
  async compare({ icon, drawing }: DrawnPair, pause: () => Promise<void>): Promise<number> {
    if (icon === drawing) return this.model.identical;
    const one = await this.embedding(icon, pause);
    return this.model.score(one, await this.embedding(drawing, pause));
  }

  /** Frees the memory of the model, which cannot be used any more. */
  release(): Promise<void> {
    return this.model.release();
  }

  private async embedding(code: string, pause: () => Promise<void>): Promise<Float32Array> {
    const { embeddings, most } = this;
    const embedding = embeddings.get(code) ?? (await this.computed(code, pause));
    embeddings.delete(code);
    embeddings.set(code, embedding);
    if (embeddings.size > most) embeddings.delete(embeddings.keys().next().value!);
    return embedding;
  }

  private async computed(code: string, pause: () => Promise<void>): Promise<Float32Array> {
    await pause();
    return this.model.embed((side) => this.draw(code, side));
  }
}
