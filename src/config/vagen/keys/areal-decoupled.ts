// AReaL's decoupled objective, and what it weighs tokens by.
import { short } from "../../../core/short.ts";
import { areal, type KeyMapping, type ReadResult, type Source } from "../key-mapping.ts";

const DECOUPLED = "actor.use_decoupled_loss";
const RECOMPUTE = "actor.recompute_logprob";
const SAMPLING = "actor.rejection_sampling";
/** The key before there was `rejection_sampling`: its cap, as a mask of single tokens by their ratio. */
const OLD_CAP = "actor.behave_imp_weight_cap";
/** Our setting, and how AReaL's own examples misspell {@link OLD_CAP}. */
const CAP = "actor.behav_imp_weight_cap";
export const SAPO = "actor.use_sapo_loss";

/** AReaL's `upper` where the section leaves it out. */
const DEFAULT_CAP = 5;

/** The only kind of weights that the studio has. */
const OURS = { level: "token", metric: "ratio" } as const;
const UNWEIGHTED =
  "AReaL weighs tokens only where rejection_sampling says how. Without weights the ratio to the recomputed policy is left, which is the usual objective with actor.recompute_logprob.";

/** Whether the section asks for the weights that the studio has. */
const isReadable = (source: Source): boolean =>
  source.gives(SAMPLING) &&
  Object.entries(OURS).every(([name, ours]) => (source.get(`${SAMPLING}.${name}`) ?? ours) === ours);

/** Whether tokens have weights at all. */
const isWeighted = (source: Source): boolean =>
  source.gives(OLD_CAP) || source.gives(CAP) || isReadable(source);

/** Without `rejection_sampling` AReaL's decoupled objective has no weights, and is the usual one with recomputed old probabilities. */
function decoupled(value: unknown, source: Source): ReadResult {
  if (value !== true) return { value };
  if (source.get(SAPO) === true) return { value: false, note: "AReaL's SAPO cannot be decoupled." };
  return isWeighted(source) ? { value } : { value: false, note: UNWEIGHTED };
}

/** A setting of the weights, where there are any. */
const weighted =
  (has: (source: Source) => boolean): NonNullable<KeyMapping["read"]> =>
  (value, source) =>
    has(source) ? { value } : { ignored: "No such weights." };

/** Of AReaL's two bounds only the lower one may be empty (`RejectionSamplingConfig`). */
const upper: NonNullable<KeyMapping["read"]> = (value, source) =>
  value === null
    ? {
        refused: `${SAMPLING}.upper is null; AReaL takes only a number above 1 there, and so does the studio. Write the largest ratio, or leave the key out, which means ${DEFAULT_CAP}.`,
      }
    : weighted(isReadable)(value, source);

/** A choice of which the studio has one value. */
const onlyOurs = (name: keyof typeof OURS): KeyMapping =>
  areal(`${SAMPLING}.${name}`, DECOUPLED, {
    read: (value) =>
      value === OURS[name]
        ? { ignored: "The studio always does it this way." }
        : {
            refused: `${SAMPLING}.${name} is ${short(JSON.stringify(value))}; the studio weighs each token by its ratio. Set level to token and metric to ratio, or leave rejection_sampling out: now no token is weighed.`,
          },
    converted: `Only \`${OURS[name]}\`; with another one no token is weighed.`,
  });

export const decoupledKeys: readonly KeyMapping[] = [
  areal(DECOUPLED, DECOUPLED, {
    default: true,
    assumed: true,
    switches: [DECOUPLED],
    read: decoupled,
    converted: `Off here without \`rejection_sampling\` and with \`${SAPO}\`.`,
  }),
  areal(RECOMPUTE, RECOMPUTE, {
    default: false,
    assumed: true,
    switches: [RECOMPUTE],
    read: (value, source) =>
      source.get(DECOUPLED) === true && source.get(SAPO) !== true
        ? { value: true, note: `Implied by ${DECOUPLED}.` }
        : { value },
    converted: `On with \`${DECOUPLED}\`, which implies it.`,
  }),
  areal(OLD_CAP, CAP, {}),
  areal(CAP, CAP, {}),
  areal(`${SAMPLING}.upper`, CAP, {
    default: DEFAULT_CAP,
    assumed: true,
    readsNull: true,
    read: upper,
    converted: "Not null, which AReaL does not take either.",
  }),
  areal(`${SAMPLING}.action`, "actor.behav_imp_weight_mode", {
    default: "mask",
    assumed: true,
    read: weighted(isWeighted),
  }),
  areal(`${SAMPLING}.lower`, CAP, {
    read: (value) =>
      value === 0
        ? { ignored: "No ratio is below it." }
        : {
            refused: `${SAMPLING}.lower is ${short(JSON.stringify(value))}; the studio bounds weights from above only. Set it to null.`,
          },
    converted: "Only null and 0.",
  }),
  onlyOurs("level"),
  onlyOurs("metric"),
  ...areal.ignored("Only level sequence uses it.", [`${SAMPLING}.agg`]),
];
