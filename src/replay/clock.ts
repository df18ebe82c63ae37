// One clock for a replay: the times at which an episode's parts begin and end, and what is on screen at a time.
import { calledName } from "../core/action-name.ts";
import { replyPositions } from "../core/token-sequences.ts";
import type { ExecutedAction, Section, SectionKind, Trajectory, Turn } from "../core/types.ts";

/** How much of a turn is shown: one line, the whole text at once, or the text as it is read. */
export const READINGS = ["summary", "log", "stream"] as const;
export type Reading = (typeof READINGS)[number];

/** What happens during a phase: the agent looks, states a part of its reply, an action is executed, the turn is judged. */
export type PhaseKind = "look" | Exclude<SectionKind, "tag"> | "action" | "verdict";

/** A stretch of the timeline, in ms from its start. */
export interface Phase {
  turn: number;
  kind: PhaseKind;
  from: number;
  to: number;
  /** The part of the reply that is read; absent for other phases. */
  section?: Section;
  /** Which of the turn's executed actions it is; absent for other phases. */
  action?: number;
  /** The ms from its start in which an action moves things; then the result can be looked at. Absent for other phases. */
  movingMs?: number;
}

export interface Timeline {
  reading: Reading;
  durationMs: number;
  /** In order and without gaps. */
  phases: readonly Phase[];
  /** Start and end of each turn. */
  turns: readonly { from: number; to: number }[];
  /** For each turn the tokens that the policy wrote, and where each ends in the text of the reply. */
  tokens: readonly TurnTokenEnds[];
}

interface TurnTokenEnds {
  /** Positions in the trajectory's token arrays. */
  indices: readonly number[];
  /** Characters of the reply up to and including each token. */
  ends: readonly number[];
}

/** What is on screen at a time. */
export interface ClockPlace {
  turn: number;
  /** Index into the timeline's phases. */
  phase: number;
  kind: PhaseKind;
  /** How far the phase is, 0 … 1. */
  progress: number;
  /** How much of what an action moves has been moved, 0 … 1; 1 in other phases. */
  way: number;
  /** Actions of the turn that have begun. */
  actions: number;
  /** Characters of the reply that have been read. */
  characters: number;
  /** The token being read, as a position in the trajectory's arrays; null beside the reply. */
  token: number | null;
}

/**
 * Reading speed: 238 words a minute, the mean of adults who read English non-fiction silently (Brysbaert 2019, "How many
 * words do we read per minute?", Journal of Memory and Language 109), in words of six characters, the space included.
 */
const WORDS_PER_MINUTE = 238;
const CHARACTERS_PER_WORD = 6;

/** Time to read a text at that speed. */
export const readingMs = (characters: number): number =>
  (characters / CHARACTERS_PER_WORD / WORDS_PER_MINUTE) * 60_000;

/** Times of what is not read, and the least time of a part of a reply, in ms. */
const PACE: Readonly<Record<Reading, { look: number; part: number; action: number; verdict: number }>> = {
  summary: { look: 300, part: 120, action: 450, verdict: 500 },
  log: { look: 500, part: 450, action: 550, verdict: 900 },
  stream: { look: 900, part: 500, action: 750, verdict: 1300 },
};

/** Share of an action's time in which things move. */
const MOVING = 0.6;
/** The longest time that a motion takes, in ms; longer ones play faster. A blocked hand may try for 14 s, others arrive in 5. */
const LONGEST_MOTION_MS = 5000;

/**
 * The timeline of an episode. `ends` gives, for each turn, the number of characters of the reply up to each token that the
 * policy wrote; without it the tokens are taken to be equally long. `seconds` gives, for each turn, how long the motion of each
 * executed action is; null for an action without one.
 */
export function timelineOf(
  trajectory: Pick<Trajectory, "turns" | "tokens">,
  reading: Reading,
  ends?: readonly (readonly number[])[],
  seconds?: readonly (readonly (number | null)[])[],
): Timeline {
  const phases: Phase[] = [];
  const turns = trajectory.turns.map((turn, index) => {
    const from = phases.at(-1)?.to ?? 0;
    let at = from;
    for (const { ms, ...part } of partsOf(turn, reading, seconds?.[index])) {
      phases.push({ turn: index, ...part, from: at, to: at + ms });
      at += ms;
    }
    return { from, to: at };
  });
  const positions = replyPositions(trajectory.tokens, trajectory.turns.length);
  const tokens = trajectory.turns.map((turn, i) => tokenEndsOf(positions[turn.index] ?? [], turn, ends?.[i]));
  return { reading, durationMs: turns.at(-1)?.to ?? 0, phases, turns, tokens };
}

type Part = Pick<Phase, "kind" | "section" | "action" | "movingMs"> & { ms: number };

function partsOf(turn: Turn, reading: Reading, seconds: readonly (number | null)[] = []): Part[] {
  const pace = PACE[reading];
  const read = spokenSections(turn).map((section): Part => {
    const ms = reading === "stream" ? Math.max(pace.part, readingMs(section.to - section.from)) : pace.part;
    return { kind: section.kind, section, ms };
  });
  const actions = turn.executed.map((_, action): Part => {
    const movingMs = actionMs(seconds[action], reading);
    return { kind: "action", action, movingMs, ms: movingMs + (1 - MOVING) * pace.action };
  });
  return [
    { kind: "look", ms: pace.look },
    ...read,
    ...actions,
    // There is more to read where a turn failed than where it went well.
    { kind: "verdict", ms: pace.verdict },
  ];
}

/**
 * How long an action moves things on screen, in ms. A motion of so many seconds takes its own time: a faster one would not look like what
 * happened, nor show all of its pictures.
 */
export const actionMs = (seconds: number | null | undefined, reading: Reading): number =>
  seconds ? Math.min(LONGEST_MOTION_MS, seconds * 1000) : MOVING * PACE[reading].action;

type Spoken = Section & { kind: Exclude<SectionKind, "tag"> };

/** The parts of a reply that say something, in order: no markup, no empty part. */
export function spokenSections({ parsed, reply }: Pick<Turn, "parsed" | "reply">): Spoken[] {
  return parsed.sections.filter(
    (section): section is Spoken =>
      section.kind !== "tag" && reply.slice(section.from, section.to).trim() !== "",
  );
}

function tokenEndsOf(
  indices: readonly number[],
  turn: Turn,
  known: readonly number[] | undefined,
): TurnTokenEnds {
  const even = indices.map((_, i) => Math.round(((i + 1) / indices.length) * turn.reply.length));
  return { indices, ends: known?.length === indices.length ? known : even };
}

/** What is on screen at `ms`, which is limited to the timeline. An empty timeline has no place. */
export function placeAt(timeline: Timeline, ms: number): ClockPlace | null {
  const { phases, durationMs } = timeline;
  if (phases.length === 0) return null;
  const at = Math.max(0, Math.min(durationMs, ms));
  const index = Math.max(
    0,
    phases.findLastIndex(({ from }) => from <= at),
  );
  const phase = phases[index]!;
  const progress = Math.min(1, (at - phase.from) / (phase.to - phase.from));
  const way = phase.movingMs ? Math.min(1, (at - phase.from) / phase.movingMs) : 1;
  return {
    ...{ turn: phase.turn, phase: index, kind: phase.kind, progress, way },
    actions: actionsAt(timeline, phase),
    ...reached(timeline, phase, progress),
  };
}

function actionsAt({ phases }: Timeline, { turn, kind, action }: Phase): number {
  if (action !== undefined) return action + 1;
  if (kind !== "verdict") return 0;
  return phases.filter((phase) => phase.turn === turn && phase.kind === "action").length;
}

/** Text and token that a phase has come to. In a phase without text, the text before it has been read. */
function reached(
  timeline: Timeline,
  { turn, kind, section }: Phase,
  progress: number,
): Pick<ClockPlace, "characters" | "token"> {
  if (kind === "look") return { characters: 0, token: null };
  if (!section) return { characters: Number.POSITIVE_INFINITY, token: null };
  const length = section.to - section.from;
  // The end of the tag is read with the first character, and no character is ahead of its time.
  const characters = section.from + Math.min(length, Math.floor(progress * length));
  return { characters, token: tokenOfCharacter(timeline, turn, Math.min(characters, section.to - 1)) };
}

/** The time at which a turn begins. */
export function timeOfTurn({ turns, durationMs }: Timeline, turn: number): number {
  return turns[turn]?.from ?? (turn < 0 ? 0 : durationMs);
}

/** The time at which a token is read; null for a token that is not part of a reply. */
export function timeOfToken(timeline: Timeline, token: number): number | null {
  const turn = timeline.tokens.findIndex(({ indices }) => indices.includes(token));
  if (turn < 0) return null;
  const { indices, ends } = timeline.tokens[turn]!;
  const start = ends[indices.indexOf(token) - 1] ?? 0;
  const parts = timeline.phases.filter((phase) => phase.turn === turn && phase.section);
  // Markup is read with the part that follows it, or with the last one.
  const phase = parts.find(({ section }) => section!.to > start) ?? parts.at(-1);
  if (!phase?.section) return timeline.turns[turn]!.from;
  const { from, to } = phase.section;
  const into = Math.max(0, Math.min(to - 1, Math.max(from, start)) - from) / (to - from);
  // A hair later than the character itself, so that rounding cannot lead to the token before.
  return phase.from + Math.min(0.999, into + 1e-6) * (phase.to - phase.from);
}

/** The token that a character of a turn's reply belongs to, as a position in the trajectory; null in a turn without tokens. */
export function tokenOfCharacter({ tokens }: Timeline, turn: number, character: number): number | null {
  const { indices, ends } = tokens[turn] ?? { indices: [], ends: [] };
  const at = ends.findIndex((end) => end > character);
  return (at < 0 ? indices.at(-1) : indices[at]) ?? null;
}

/** The time at which an action of a turn begins; with no such action, the turn's verdict. */
export function timeOfAction(timeline: Timeline, turn: number, action: number): number {
  const ofTurn = timeline.phases.filter((phase) => phase.turn === turn);
  const found = ofTurn.find((phase) => phase.action === action) ?? ofTurn.at(-1);
  return found?.from ?? timeOfTurn(timeline, turn);
}

/** The same place in the timeline of another reading. */
export function translate(ms: number, from: Timeline, to: Timeline): number {
  const place = placeAt(from, ms);
  const phase = place && to.phases[place.phase];
  return phase ? phase.from + place.progress * (phase.to - phase.from) : 0;
}

export type StepUnit = "turn" | "phase" | "token";

/** The first of the sorted `marks` after a time (`by` 1), or the last before it (−1); an end where there is none. */
export function nextMark(marks: readonly number[], ms: number, by: 1 | -1, durationMs: number): number {
  // Within a phase, the first step back leads to its start.
  const found = by > 0 ? marks.find((mark) => mark > ms + 0.5) : marks.findLast((mark) => mark < ms - 0.5);
  return found ?? (by > 0 ? durationMs : 0);
}

/** The times at which turns, phases or tokens begin, in order. */
export function marksOf(timeline: Timeline, unit: StepUnit): number[] {
  if (unit === "turn") return timeline.turns.map(({ from }) => from);
  if (unit === "phase") return timeline.phases.map(({ from }) => from);
  const times = timeline.tokens.flatMap(({ indices }) =>
    indices.flatMap((token) => timeOfToken(timeline, token) ?? []),
  );
  return [...new Set(times)].sort((a, b) => a - b);
}

/** What a phase is called in a sentence. */
const PHASE_WORDS: Readonly<Record<PhaseKind, string>> = {
  look: "the picture",
  observation: "observation",
  reasoning: "reasoning",
  prediction: "prediction",
  answer: "answer",
  call: "tool call",
  other: "text outside every part",
  action: "action",
  verdict: "verdict",
};

/** "turn 2 of 5, prediction". An action is named. */
export function describePlace(
  place: ClockPlace,
  turns: readonly { executed: readonly ExecutedAction[] }[],
): string {
  const action = place.kind === "action" ? turns[place.turn]?.executed[place.actions - 1] : undefined;
  const what = action ? `action ${calledName(action)}` : PHASE_WORDS[place.kind];
  return `turn ${place.turn + 1} of ${turns.length}, ${what}`;
}

/** Slowest and fastest playback, and the steps between. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

/** The next speed up (`by` 1) or down (−1) from one that need not be in the list. */
export function nextSpeed(speed: number, by: 1 | -1): number {
  const found = by > 0 ? SPEEDS.find((known) => known > speed) : SPEEDS.findLast((known) => known < speed);
  return found ?? (by > 0 ? SPEEDS.at(-1)! : SPEEDS[0]);
}
