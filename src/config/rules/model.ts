// Shapes that the kernels can run.
import { message, setting } from "../../core/message.ts";
import { closest, divides, divisors, problem, type Rule, type RuleProblem, someOf } from "./rule.ts";

const HEAD_CHANNELS = 8;

const MAX_HEAD_CHANNELS = 128;

/** Heads share the width equally, and kernels read a head in vectors. */
function headsFit(path: string, heads: number, widthPath: string, width: number): RuleProblem | null {
  const fits = (count: number) =>
    divides(count, width) && divides(HEAD_CHANNELS, width / count) && width / count <= MAX_HEAD_CHANNELS;
  if (fits(heads)) return null;
  const possible = divisors(width).filter(fits);
  return problem(
    path,
    message`${setting(widthPath)} is ${width}, which must split into heads of a multiple of ${HEAD_CHANNELS} channels, at most ${MAX_HEAD_CHANNELS}`,
    possible.length > 0
      ? `Use ${someOf(possible)} heads, or another width.`
      : message`Set ${setting(widthPath)} to a multiple of 32.`,
    closest(possible, heads),
  );
}

const attentionHeads: Rule = ({ model }) =>
  headsFit("model.num_attention_heads", model.num_attention_heads, "model.hidden_size", model.hidden_size);

const visionHeads: Rule = ({ model }) =>
  model.vision_layers > 0
    ? headsFit("model.vision_heads", model.vision_heads, "model.vision_hidden_size", model.vision_hidden_size)
    : null;

const keyValueHeads: Rule = ({ model: { num_attention_heads: heads, num_key_value_heads: kvHeads } }) =>
  divides(kvHeads, heads)
    ? null
    : problem(
        "model.num_key_value_heads",
        message`it must divide ${setting("model.num_attention_heads")}, which is ${heads}`,
        `Use one of ${someOf(divisors(heads))}.`,
        closest(divisors(heads), kvHeads),
      );

const mlpWidth: Rule = ({ model: { intermediate_size: width } }) =>
  divides(16, width)
    ? null
    : problem(
        "model.intermediate_size",
        "it must be a multiple of 16",
        `Use ${Math.max(16, Math.round(width / 16) * 16)}.`,
        Math.max(16, Math.round(width / 16) * 16),
      );

const pixelShuffle: Rule = ({ model: { pixel_shuffle: merge } }, picture) =>
  picture === null || (divides(merge, picture.rows) && divides(merge, picture.cols))
    ? null
    : problem(
        "model.pixel_shuffle",
        `it must divide the picture's ${picture.rows} × ${picture.cols} tiles`,
        message`Use 1, or another ${setting("env.name")}.`,
        1,
      );

export const modelRules: readonly Rule[] = [
  attentionHeads,
  keyValueHeads,
  mlpWidth,
  visionHeads,
  pixelShuffle,
];
