// AReaL's advantages: GAE in steps of tokens or turns, with a critic or without one.
import { areal, type KeyMapping, type ReadResult, type Source } from "../key-mapping.ts";

const LAMBDA = "actor.gae_lambda";
const TIME_STEP = "actor.gae_timestep_unit";

/** λ is a number, or a function of the length, which its path names. */
const lambda = (value: unknown): string | undefined =>
  /(vapo|relative_position)/.exec(typeof value === "string" ? value : "")?.[1];

const hasCritic = (source: Source): boolean => source.get("critic.path") !== undefined;

const BY_PRODUCT =
  "Without a critic AReaL's values are 0, so an advantage is the sum of later rewards, discounted by discount × gae_lambda.";

/** γ. Without a critic only its product with λ matters, and the studio's estimator reads no λ. Rounded: 0.8 · 0.9 is 0.72. */
function discount(gamma: unknown, lam: unknown, source: Source): ReadResult {
  if (hasCritic(source) || typeof gamma !== "number" || typeof lam !== "number" || lam === 1)
    return { value: gamma };
  return { value: Number((gamma * lam).toPrecision(12)), note: BY_PRODUCT };
}

/** A setting that only an estimator with a critic reads. */
const withCritic =
  (read: (value: unknown) => ReadResult = (value) => ({ value })): NonNullable<KeyMapping["read"]> =>
  (value, source) =>
    hasCritic(source) ? read(value) : { ignored: "Without a critic the studio reads no λ." };

const BY_LENGTH =
  "Without a critic the studio has no λ by length, so rewards are discounted by actor.discount only. Set critic.path, or make gae_lambda a number.";
const BY_TURN =
  "Without a critic the studio discounts from token to token only. Set critic.path to have turns as time steps.";

export const advantageKeys: readonly KeyMapping[] = [
  areal("actor.discount", "algorithm.gamma", {
    default: 1,
    assumed: true,
    read: (value, source) => discount(value, source.get(LAMBDA), source),
    converted: `Without a critic: times \`${LAMBDA}\`, since AReaL's values are 0 then.`,
  }),
  areal(LAMBDA, "algorithm.lam", {
    default: 1,
    assumed: true,
    read: withCritic((value) => (lambda(value) ? { ignored: "It is a function of the length." } : { value })),
    converted: "Only with a critic.",
  }),
  areal(LAMBDA, "algorithm.gamma", {
    read: (value, source) => {
      if (hasCritic(source)) return { ignored: "The critic's estimator reads λ." };
      return lambda(value)
        ? { unsupported: BY_LENGTH }
        : discount(source.get("actor.discount"), value, source);
    },
    converted: "Only without a critic: times `actor.discount`.",
  }),
  areal(LAMBDA, "algorithm.lam_by_length", {
    read: withCritic((value) => ({ value: lambda(value) ?? "off" })),
    converted: "The function's name, where it is a path. Only with a critic.",
  }),
  areal(`${LAMBDA}_kwargs.alpha`, "algorithm.vapo_alpha", { read: withCritic() }),
  areal(`${LAMBDA}_kwargs.q`, "algorithm.relative_position_q", { read: withCritic() }),
  areal(TIME_STEP, "algorithm.adv_estimator", {
    default: "token",
    assumed: true,
    read: (value, source) => {
      if (!hasCritic(source)) return { value: "reinforce_plus_plus" };
      return { value: value === "turn" ? "areal_turn_gae" : "masked_gae" };
    },
    converted:
      "With a critic `token` is `masked_gae` and `turn` `areal_turn_gae`. Without one, where AReaL's values are 0, both are `reinforce_plus_plus`.",
  }),
  areal.unset(TIME_STEP, "Without a critic only token is supported.", {
    read: (value, source) => (value === "turn" && !hasCritic(source) ? { unsupported: BY_TURN } : { value }),
  }),
];
