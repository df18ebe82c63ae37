// Penalises claims that are repeated whatever the state is. A policy could otherwise earn rewards without looking, with one
// wording that is often right.
import type { Verdict } from "../core/types.ts";
import { wasJudged } from "../core/verdict.ts";
import { FrequentTexts, type TextCounts } from "./frequent.ts";
import type { Claim, Judge, JudgeQuestion } from "./judge.ts";

/** Settings, under the names of the run's configuration. */
interface RepetitionSettings {
  /** Texts that are remembered. */
  top_strings_m: number;
  /** How many of them count as repeated. */
  top_strings_k: number;
  /** Repeated claims that score below this are penalised. */
  repetition_threshold: number;
  /** The negated reward of such a claim, in place of its score. */
  repetition_penalty: number;
}

/** The texts so far, as plain data for a checkpoint. */
export type RepetitionState = Readonly<Record<Claim, TextCounts>>;

/** Two memories of one run: observations and predictions are different texts. */
export class RepetitionMemory {
  private readonly texts: Readonly<Record<Claim, FrequentTexts>>;

  constructor(
    private readonly settings: RepetitionSettings,
    saved?: RepetitionState,
  ) {
    const { top_strings_m: capacity } = settings;
    this.texts = {
      observation: new FrequentTexts(capacity, saved?.observation),
      prediction: new FrequentTexts(capacity, saved?.prediction),
    };
  }

  /** Counts the claims of a batch. A part without text claims nothing, so it repeats nothing (VAGEN does not judge it). */
  add(questions: readonly JudgeQuestion[]): void {
    const said = questions.filter(({ text }) => text !== "");
    for (const claim of ["observation", "prediction"] as const)
      this.texts[claim].add(said.filter((question) => question.claim === claim).map(({ text }) => text));
  }

  /** The verdicts, with `repeated` and `paid` set for repeated claims that score low. */
  mark(questions: readonly JudgeQuestion[], verdicts: readonly Verdict[]): Verdict[] {
    const hot = {
      observation: new Set(this.texts.observation.top(this.settings.top_strings_k)),
      prediction: new Set(this.texts.prediction.top(this.settings.top_strings_k)),
    };
    return verdicts.map((verdict, i) => {
      const { claim, text } = questions[i]!;
      const isTemplate = wasJudged(verdict) && verdict.score < this.settings.repetition_threshold;
      return isTemplate && hot[claim].has(text) ? this.punished(verdict) : verdict;
    });
  }

  save(): RepetitionState {
    return { observation: this.texts.observation.save(), prediction: this.texts.prediction.save() };
  }

  private punished(verdict: Verdict): Verdict {
    const { repetition_penalty: penalty } = this.settings;
    return { ...verdict, repeated: true, ...(penalty > 0 && { paid: -penalty }) };
  }
}

/**
 * A judge that penalises repetition. `counts`: whether claims are added to the memory, as in training; otherwise they are
 * only compared with it, so that a validation changes nothing.
 */
export function mindingRepetition(judge: Judge, memory: RepetitionMemory, counts: boolean): Judge {
  return {
    ...judge,
    async judge(questions, signal) {
      // Counts the whole batch before scoring any of it.
      if (counts) memory.add(questions);
      return memory.mark(questions, await judge.judge(questions, signal));
    },
  };
}
