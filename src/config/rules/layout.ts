// What the layout compact does not go with: other settings, and budgets that leave no room for a turn, a reply or a summary. What is known of an episode's words here is an
// estimate; a budget that is too small for the replies that are really written ends episodes as unusable instead.
import { message, setting, value } from "../../core/message.ts";
import type { RunConfig } from "../run-config.ts";
import { summaryBudget } from "../summary-budget.ts";
import { TURN_OVERHEAD } from "./batch.ts";
import { defaults, type Picture, problem, type Rule } from "./rule.ts";

const LAYOUT = "trainer.harness";
const BUDGET = "trainer.compact_budget";
const SUMMARY = "trainer.compact_summary_budget";
const ROOM = "rollout.max_episode_tokens";
const REPLY = "rollout.response_length";
const COMPACT = value(LAYOUT, "compact");

/** Tokens of the request for a summary, and of the words before the first observation. */
const REQUEST = 3;
const OPENING = 3;

/** A rule that holds under the layout compact only. */
const ifCompact =
  (rule: Rule): Rule =>
  (config, picture, known) => {
    const found = config.trainer.harness === "compact" ? rule(config, picture, known) : null;
    return found && { ...found, reads: [LAYOUT, ...(found.reads ?? [])] };
  };

/** About how many tokens an observation has. */
const observation = ({ rows, cols, most }: Picture, { model }: RunConfig): number =>
  Math.ceil((most * rows * cols) / model.pixel_shuffle ** 2) + TURN_OVERHEAD;

const somethingCloses: Rule = ({ trainer, rollout }) =>
  trainer.compact_budget === 0 && rollout.max_episode_tokens === 0
    ? problem(
        BUDGET,
        message`the layout ${COMPACT} needs a limit at which a conversation is closed`,
        message`Use ${defaults.trainer.compact_budget}, set ${setting(ROOM)}, or set ${setting(LAYOUT)} to ${value(LAYOUT, "concat")}.`,
        defaults.trainer.compact_budget,
      )
    : null;

/** Summaries are sampled with replies, up to the same limit. */
const summaryIsAReply: Rule = ({ trainer, rollout: { response_length: reply } }) =>
  trainer.compact_summary_budget > reply
    ? problem(
        SUMMARY,
        `a summary cannot have more tokens than a reply, which has at most ${reply}`,
        message`Use at most ${reply}, or raise ${setting(REPLY)}.`,
        reply,
      )
    : null;

/** About the least room of a conversation with two turns and a summary, which grow with the room themselves. */
function leastRoom(config: RunConfig, picture: Picture): number {
  const { max_episode_tokens: room, response_length: reply } = config.rollout;
  const floor = Math.min(reply, Math.max(1, Math.floor(room / 4)));
  const needed = summaryBudget(config) + REQUEST + reply + observation(picture, config) + floor;
  if (needed <= room) return room;
  return leastRoom({ ...config, rollout: { ...config.rollout, max_episode_tokens: needed } }, picture);
}

/** A conversation with a turn must have room for another and for the summary that closes it. */
const roomHoldsATurn: Rule = (config, picture) => {
  const { max_episode_tokens: room } = config.rollout;
  if (room === 0 || !picture) return null;
  const least = leastRoom(config, picture);
  return least <= room
    ? null
    : problem(
        ROOM,
        message`under the layout ${COMPACT} a conversation of two turns and its summary need about ${least} tokens after the first prompt`,
        message`Use at least ${least}, 0 for no limit, or lower ${setting(REPLY)} or ${setting(SUMMARY)}.`,
        least,
      );
};

/** Otherwise every conversation would be closed after its first turn. */
const budgetHoldsATurn: Rule = (config, picture) => {
  const { compact_budget: budget } = config.trainer;
  if (budget === 0 || !picture) return null;
  const least = OPENING + observation(picture, config) + 1;
  const two = least + observation(picture, config) + 2 * config.rollout.response_length;
  return budget > least
    ? null
    : problem(
        BUDGET,
        `the first prompt alone has about ${least - 1} tokens, so every conversation would be closed after one turn`,
        message`Use about ${two}, which holds two turns, or set ${setting(LAYOUT)} to ${value(LAYOUT, "no_concat")}.`,
        two,
      );
};

/** The stream of episodes that plays ahead records versions by turn, and a summary is none. */
const isPlayedAlone: Rule = ({ rollout }) =>
  rollout.max_head_offpolicyness > 0
    ? problem(
        "rollout.max_head_offpolicyness",
        message`it must be 0 under the layout ${COMPACT}, whose episodes are not played ahead`,
        message`Use 0, or set ${setting(LAYOUT)} to ${value(LAYOUT, "concat")}.`,
        0,
      )
    : null;

/** Rewards are placed by the words of a turn's reply, and a summary would count as part of it. */
const paysTurns: Rule = ({ reward }) =>
  reward.use_state_reward && reward.credit_site === "section_end"
    ? problem(
        "reward.credit_site",
        message`the layout ${COMPACT} pays claims at the end of their turn only`,
        message`Use ${value("reward.credit_site", "turn_end")}, or set ${setting(LAYOUT)} to ${value(LAYOUT, "concat")}.`,
        "turn_end",
      )
    : null;

export const layoutRules: readonly Rule[] = [
  somethingCloses,
  summaryIsAReply,
  roomHoldsATurn,
  budgetHoldsATurn,
  isPlayedAlone,
  paysTurns,
].map(ifCompact);
