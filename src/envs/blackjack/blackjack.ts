// One hand of Blackjack.
import { checkSeed, rng } from "../../core/rng.ts";
import type { BoardTruth, Frame } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import { count, drawCard, isNatural, LIMIT, type Rank } from "./cards.ts";
import { ACTIONS, type BlackjackConfig } from "./config.ts";
import { drawTable, placesOn, type Table, tableText } from "./table.ts";

/** The most cards that a hand can have: 21 aces, and one more. */
const MOST_CARDS = 22;

/** The sum at which the dealer takes no more cards. */
const DEALER_STANDS = 17;

interface Hand {
  /** The cards that the agent gets, in order, and how many of them it has. */
  coming: readonly Rank[];
  taken: number;
  /** All cards that the dealer gets. */
  dealer: readonly Rank[];
  stands: boolean;
}

/** How a hand ended: 1 won, 0 drawn, −1 lost. */
type Outcome = -1 | 0 | 1;

/** A hand against the dealer. The rules are in `index.ts`. */
export class Blackjack implements Env {
  private hand: Hand | null = null;

  constructor(private readonly config: BlackjackConfig) {}

  reset(seed: number): void {
    checkSeed(seed);
    const [player, dealer] = [rng(seed).fork("player"), rng(seed).fork("dealer")];
    const coming = Array.from({ length: MOST_CARDS }, () => drawCard(player));
    this.hand = { coming, taken: 2, dealer: dealerCards(() => drawCard(dealer)), stands: false };
  }

  step(action: string): StepResult {
    const hand = started(this.hand);
    checkRunning(isOver(hand));
    checkAction(action, ACTIONS);
    const next = action === "Hit" ? { ...hand, taken: hand.taken + 1 } : { ...hand, stands: true };
    this.hand = next;
    const result = { terminated: isOver(next), effective: true };
    if (!result.terminated) return { ...result, reward: 0, success: false, note: "" };
    const outcome = outcomeOf(next, this.config);
    const success = outcome === 1;
    return { ...result, reward: this.rewardFor(outcome, next), success, note: success ? "" : noteOn(next) };
  }

  private rewardFor(outcome: Outcome, hand: Hand): number {
    const { natural, sab, success_reward } = this.config;
    if (outcome !== 1) return outcome;
    return natural && !sab && isNatural(cardsOf(hand)) ? 1.5 * success_reward : success_reward;
  }

  render(patchPx: number): Frame {
    return drawTable(tableOf(started(this.hand)), patchPx);
  }

  text(): string {
    return tableText(tableOf(started(this.hand)));
  }

  groundTruth(): BoardTruth {
    const hand = started(this.hand);
    const table = tableOf(hand);
    const facts = { ...count(table.player), dealer: table.dealer[0]!, ended: isOver(hand) };
    return { ...placesOn(table), facts };
  }

  /** The shortest way to win with the cards to come, which no agent can know; null if there is none. */
  oracle(): readonly string[] | null {
    const hand = started(this.hand);
    if (isOver(hand)) return outcomeOf(hand, this.config) === 1 ? [] : null;
    for (let hits = 0; count(hand.coming.slice(0, hand.taken + hits)).sum <= LIMIT; hits++) {
      const end = { ...hand, taken: hand.taken + hits, stands: true };
      if (outcomeOf(end, this.config) === 1) return [...Array.from({ length: hits }, () => "Hit"), "Stand"];
    }
    return null;
  }
}

function dealerCards(draw: () => Rank): readonly Rank[] {
  const cards = [draw(), draw()];
  while (count(cards).sum < DEALER_STANDS) cards.push(draw());
  return cards;
}

const cardsOf = ({ coming, taken }: Hand): readonly Rank[] => coming.slice(0, taken);

const isOver = (hand: Hand): boolean => hand.stands || count(cardsOf(hand)).sum > LIMIT;

const tableOf = (hand: Hand): Table => ({
  player: cardsOf(hand),
  dealer: hand.stands ? hand.dealer : hand.dealer.slice(0, 1),
});

/** What a finished hand is worth. A dealer above 21 counts 0. */
function outcomeOf(hand: Hand, { sab }: Pick<BlackjackConfig, "sab">): Outcome {
  const [own, dealer] = [count(cardsOf(hand)).sum, count(hand.dealer).sum];
  if (own > LIMIT) return -1;
  if (sab && isNatural(cardsOf(hand)) && !isNatural(hand.dealer)) return 1;
  return Math.sign(own - (dealer > LIMIT ? 0 : dealer)) as Outcome;
}

/** Why a hand was not won. */
function noteOn(hand: Hand): string {
  const own = count(cardsOf(hand)).sum;
  if (own > LIMIT) return `${own} is above ${LIMIT}`;
  const dealer = count(hand.dealer).sum;
  return dealer === own ? `the dealer has ${own}, too` : `the dealer's ${dealer} beats ${own}`;
}
