// `prompt_format`, which says what a reply consists of. Each generation has formats of its own, and so have some environments.
import { statingParts } from "../../../core/formats.ts";
import type { PromptFormat, RunConfig } from "../../run-config.ts";
import { type KeyMapping, legacyEntry, liteEntry, type ReadResult, type Source } from "../key-mapping.ts";

const FORMAT = "rollout.prompt_format";
const LEGACY_FORMATS = ["no_think", "free_think", "grounding", "worldmodeling", "grounding_worldmodeling"];
const VARIANT = /_(structured|symbolic)$/;
const ORDER = "Lite predicts after the answer, the legacy release before it.";

/** Of Sokoban only: the one format whose structured state is a list of relations, not a dictionary. */
const RELATIONS = "grounding_worldmodeling_structured";

/** A legacy format without its ending, which is a setting of its own here. */
function readLegacyFormat(value: unknown): ReadResult {
  const base = String(value).replace(VARIANT, "");
  return { value: LEGACY_FORMATS.includes(base) ? base : value };
}

const writtenAs = (format: unknown): string => VARIANT.exec(String(format))?.[1] ?? "natural";

/** The legacy name of our format, or that of the one nearest to it. Lite's formats have the parts of grounding_worldmodeling. */
function legacyName({ rollout: { prompt_format: format, state_format: written } }: RunConfig): string {
  const base = LEGACY_FORMATS.includes(format) ? format : legacyNearest(format);
  return written === "natural" ? base : `${base}_${written === "relations" ? "structured" : written}`;
}

const legacyNearest = (format: PromptFormat): string =>
  statingParts(format).length > 0 ? "grounding_worldmodeling" : withoutStates(format);

/** Of the two legacy formats that state nothing, the one for ours. */
const withoutStates = (format: PromptFormat): string =>
  ["no_think", "answer", "eval_mode"].includes(format) ? "no_think" : "free_think";

/** Environments in which nothing is stated in the legacy release, whose default is another one there. */
const STATELESS = ["svg", "blackjack"];

const statelessFormat = (env: string, extra: Partial<KeyMapping>): KeyMapping => ({
  ...legacyEntry("config.prompt_format", FORMAT, {
    default: "free_think",
    assumed: true,
    write: ({ rollout }) => withoutStates(rollout.prompt_format),
    ...extra,
  }),
  env,
});

const DRAWN_WITHOUT_CLAIMS = "VAGEN reads drawings with the parser of `free_think`, whatever the format.";

const legacyFormats: readonly KeyMapping[] = [
  legacyEntry("config.prompt_format", FORMAT, {
    default: "grounding_worldmodeling",
    assumed: true,
    exceptIn: STATELESS,
    read: readLegacyFormat,
    converted: `\`…_structured\` and \`…_symbolic\` are a format and \`rollout.state_format\`. \`wm\` and \`free_wm\` are written as \`grounding_worldmodeling\`: ${ORDER}`,
    write: legacyName,
  }),
  statelessFormat("svg", {
    default: "grounding_worldmodeling",
    read: () => ({ value: "free_think", note: DRAWN_WITHOUT_CLAIMS }),
    converted: `\`free_think\`. ${DRAWN_WITHOUT_CLAIMS}`,
  }),
  statelessFormat("blackjack", { read: readLegacyFormat }),
  legacyEntry("config.prompt_format", "rollout.state_format", {
    default: "grounding_worldmodeling",
    assumed: true,
    read: (value) => ({ value: writtenAs(value) }),
    converted: `The ending of the format's name. Sokoban's \`${RELATIONS}\` is \`relations\`.`,
    write: () => undefined,
  }),
  {
    ...legacyEntry("config.prompt_format", "rollout.state_format", {
      read: (value) => ({ value: value === RELATIONS ? "relations" : writtenAs(value) }),
      write: () => undefined,
    }),
    env: "sokoban",
  },
];

/** Lite's name for our format. Where it has none, that of a format with the same parts. */
const LITE_NAMES: Readonly<Record<string, string>> = {
  free_think: "free_think",
  no_think: "no_think",
  wm: "wm",
  free_wm: "free_wm",
  answer: "answer",
  free_think_2026: "free_think",
  wm_2026: "wm",
  wm_think: "wm_think",
  grounding_worldmodeling: "wm",
};
/** Navigation has no free text between the parts, and one more format: an action in any text. */
const NAVIGATION_NAMES = {
  ...LITE_NAMES,
  free_wm: "wm",
  wm_think: "wm",
  answer: "no_think",
  eval_mode: "eval_mode",
};
/** PrimitiveSkill has `wm` and `free_think` only. */
const SKILL_NAMES = {
  ...NAVIGATION_NAMES,
  no_think: "free_think",
  answer: "free_think",
  eval_mode: "free_think",
};
/** SVG has `wm`, `free_wm` and `free_think`. The latest release calls its `wm_think` by the old name `free_wm` as well. */
const SVG_NAMES = { ...LITE_NAMES, wm_think: "free_wm", no_think: "free_think", answer: "free_think" };

/** Formats of August 2026; Lite's `wm` and `free_wm` are others, which predict after the answer, and its `free_think` is found anywhere. */
const FORMATS_OF_AUGUST: Readonly<Record<string, string>> = {
  free_think: "free_think_2026",
  wm: "wm_2026",
  wm_think: "wm_think",
  free_wm: "wm_think",
  answer: "answer",
};

function readLiteFormat(value: unknown, source: Source): ReadResult {
  const ours = source.isOfAugust ? FORMATS_OF_AUGUST[String(value)] : undefined;
  return { value: ours ?? value };
}

const liteName =
  (names: Readonly<Record<string, string>>) =>
  ({ rollout }: RunConfig): string =>
    names[rollout.prompt_format] ?? "free_think";

/** Each of Lite's environments has a default of its own. */
const liteFormat = (env: string, preset: string, extra: Partial<KeyMapping> = {}): KeyMapping => ({
  ...liteEntry("config.prompt_format", FORMAT, {
    default: preset,
    assumed: true,
    read: readLiteFormat,
    write: liteName(LITE_NAMES),
    converted: `\`grounding_worldmodeling\` is written as \`wm\`: ${ORDER} From August 2026 on Lite also predicts before it; there \`wm\` is \`wm_2026\`, \`free_wm\` is \`wm_think\`, and \`free_think\` is \`free_think_2026\`.`,
    ...extra,
  }),
  env,
});

/** Every line of `prompt_format`. */
export const formatKeys: readonly KeyMapping[] = [
  ...legacyFormats,
  liteFormat("frozenlake", "free_think"),
  liteFormat("sokoban", "wm"),
  liteFormat("navigation", "free_think", {
    write: liteName(NAVIGATION_NAMES),
    converted: "As in sokoban, but `free_wm` is written as `wm`.",
  }),
  liteFormat("primitive-skill", "wm", {
    write: liteName(SKILL_NAMES),
    converted: "As in sokoban, but `free_wm` is written as `wm`, and an action alone as `free_think`.",
  }),
  liteFormat("svg", "free_think", {
    write: liteName(SVG_NAMES),
    converted:
      "As in sokoban, but `wm_think` is written as `free_wm`, and an action alone as `free_think`. `grounding` and `worldmodeling` are also written as `free_think`, which states no shapes.",
  }),
];
