// The words of a summary: how it is asked for, how the next conversation shows it, and what a good one says.
import type { SceneTruth } from "../core/types.ts";
import { type StateFormatId, stateFormats } from "./states.ts";
import { BLANK_LINE, DONE, LABEL, NEXT, REQUEST } from "./summary-words.ts";
import { COMMA } from "./templates/grid.ts";
import { templates } from "./templates/index.ts";
import type { Vocabulary } from "./vocabulary.ts";

const NOTHING = "nothing";

/** The tokens that ask for a summary, ready for it. */
export const requestIds = (vocabulary: Vocabulary): Int32Array =>
  vocabulary.encode(`<user>${REQUEST}<assistant>`);

/** A summary as the next conversation shows it. */
export interface KeptSummary {
  text: string;
  ids: Int32Array;
}

/** A written summary without its control tokens, which would show a picture or end a turn where the next conversation quotes them. */
export function keptOf(vocabulary: Vocabulary, written: Int32Array): KeptSummary {
  const { bos, eos, image, user, assistant } = vocabulary;
  const control = [bos, eos, image, user, assistant];
  const ids = written.filter((id) => !control.includes(id));
  return { text: vocabulary.decode(ids), ids };
}

/** The first observation of a conversation that begins with a summary. */
export function withSummary(
  vocabulary: Vocabulary,
  { text, ids }: KeptSummary,
  observation: { text: string; ids: Int32Array },
): { text: string; ids: Int32Array } {
  const [user, ...rest] = observation.ids;
  return {
    text: LABEL + text + BLANK_LINE + observation.text,
    ids: Int32Array.from([
      user as number,
      ...vocabulary.encode(LABEL),
      ...ids,
      ...vocabulary.encode(BLANK_LINE),
      ...rest,
    ]),
  };
}

/** What a good summary is made of. */
interface Remembered {
  envId: string;
  stateFormat: StateFormatId;
  /** The state that the agent saw last. */
  seen: SceneTruth;
  /** What it did then. */
  done: readonly string[];
  /** What it is going to do. */
  plan: readonly string[];
}

/** A good summary: what is where, as an observation states it, what was done since, and what is planned. */
export function writeSummary({ envId, stateFormat, seen, done, plan }: Remembered): string {
  const listed = (actions: readonly string[]) => actions.join(COMMA) || NOTHING;
  const where = stateFormats.get(stateFormat).describe(templates.get(envId), seen);
  return where + DONE + listed(done) + NEXT + listed(plan);
}
