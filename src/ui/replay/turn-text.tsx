// One turn of a replay in words, as far as the clock has come.

import { memo } from "react";
import { calledName } from "../../core/action-name.ts";
import type { Turn, Verdict } from "../../core/types.ts";
import { wasJudged } from "../../core/verdict.ts";
import { type ClockPlace, type Phase, spokenSections } from "../../replay/clock.ts";
import type { ReplayEvent } from "../../replay/events.ts";
import { SectionBlock } from "../episode/section-look.tsx";
import { ActionName, FormatLine, Said, ToolAnswer } from "../episode/turn-parts.tsx";
import { VerdictChip, verdictOf } from "../episode/verdict.tsx";
import { type Claim, type Lit, mistakeIn, sameLit } from "./claims.ts";
import { EventLine } from "./event-line.tsx";
import { type Playback, placeOf } from "./playback.ts";
import { useClock } from "./use-clock.ts";
import { useNameOf } from "./whose.ts";

interface TurnTextProps {
  playback: Playback;
  turn: number;
  /** The turn is over: everything about it is shown. */
  isPast: boolean;
  lit: Lit | null;
  onLit: (lit: Lit | null) => void;
}

export const TurnText = memo(function TurnText(props: TurnTextProps) {
  const { playback, turn: index, isPast } = props;
  const { clock, timeline, replay } = playback;
  const turn = replay.trajectory.turns[index]!;
  const phases = timeline.phases.filter((phase) => phase.turn === index);
  const first = timeline.phases.indexOf(phases[0]!);
  const at = useClock(clock, (state) =>
    isPast ? phases.length - 1 : placeOf(playback, state).phase - first,
  );
  const summary = timeline.reading === "summary";
  return (
    <li
      className="flex flex-col gap-1.5"
      data-testid={`replay-turn-${index}`}
      aria-current={isPast ? undefined : "step"}
      data-past={(isPast && !summary) || undefined}
    >
      {summary ? (
        <SummaryLine turn={turn} phases={phases.slice(0, at + 1)} />
      ) : (
        <>
          <p className="text-caption font-semibold text-muted">Turn {index + 1}</p>
          <Parts {...props} phases={phases} at={at} />
        </>
      )}
      <Events
        events={playback.events.filter((event) => event.turn === index)}
        phases={phases.slice(0, at + 1)}
      />
    </li>
  );
});

/** The parts of the reply, its actions and its verdict. */
function Parts({
  playback,
  turn: index,
  phases,
  at,
  isPast,
  lit,
  onLit,
}: TurnTextProps & { phases: readonly Phase[]; at: number }) {
  const turn = playback.replay.trajectory.turns[index]!;
  const streamed = playback.timeline.reading === "stream";
  const isOver = phases[at]?.kind === "verdict";
  return (
    <>
      {spokenSections(turn).map((section) => {
        const own = phases.findIndex((phase) => phase.section === section);
        if (streamed && own > at) return null;
        const isNow = own === at && !isPast;
        const claim = section.kind === "observation" || section.kind === "prediction" ? section.kind : null;
        const isJudged = claim === "prediction" ? isOver : at > own;
        return (
          <div key={section.from}>
            <SectionBlock
              kind={section.kind}
              aside={
                isJudged && (
                  <VerdictChip verdict={verdictOf(turn, section.kind)} turn={turn} kind={section.kind} />
                )
              }
            >
              {section.kind === "answer" && turn.executed.length > 0 ? (
                <ActionChips turn={turn} phases={phases.slice(0, at + 1)} />
              ) : (
                <Said text={turn.reply.slice(section.from, section.to)}>
                  {isNow && streamed ? (
                    <Typed playback={playback} from={section.from} to={section.to} turn={turn} />
                  ) : null}
                </Said>
              )}
              {section.kind === "reasoning" && isJudged && <Neighbours turn={turn} />}
              {claim && isJudged && <Claims turn={turn} claim={claim} lit={lit} onLit={onLit} />}
            </SectionBlock>
          </div>
        );
      })}
      {isOver && turn.tool && <ToolAnswer tool={turn.tool} />}
      {isOver && !turn.parsed.formatOk && <FormatLine turn={turn} />}
    </>
  );
}

/** A part of a reply as it is read. What is still to come keeps its space. */
function Typed({ playback, turn, from, to }: { playback: Playback; turn: Turn; from: number; to: number }) {
  const shown = useClock(playback.clock, (state) =>
    Math.max(from, Math.min(to, shownCharacters(playback, placeOf(playback, state)))),
  );
  return (
    <>
      {turn.reply.slice(from, shown)}
      <span className="invisible">{turn.reply.slice(shown, to)}</span>
    </>
  );
}

/** A token appears whole, as the policy writes it; where its end is not known, character by character. */
function shownCharacters({ replay, timeline }: Playback, { turn, token, characters }: ClockPlace): number {
  if (!replay.tokenEnds || token === null) return characters;
  const { indices, ends } = timeline.tokens[turn]!;
  return Math.max(characters, ends[indices.indexOf(token)] ?? 0);
}

/** The actions, each marked when it is executed, with what came of it. */
function ActionChips({ turn, phases }: { turn: Turn; phases: readonly Phase[] }) {
  const begun = phases.filter(({ kind }) => kind === "action").length;
  return (
    <ul className="flex flex-wrap items-center gap-1.5 text-dense">
      {turn.executed.map((action, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of actions is their identity
          key={i}
          className={`rounded border px-2 py-0.5 font-semibold ${
            i === begun - 1 && phases.at(-1)?.kind === "action"
              ? "border-accent bg-accent-wash text-text"
              : "border-line-strong bg-surface text-text"
          }`}
        >
          <ActionName action={action} />
          {i < begun && action.note && <span className="font-normal text-muted">: {action.note}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The fields of a claim, each of which points at its outline in the picture. */
function Claims({
  turn,
  claim,
  lit,
  onLit,
}: { turn: Turn; claim: Claim } & Pick<TurnTextProps, "lit" | "onLit">) {
  const nameOf = useNameOf();
  const verdict = turn.verdicts[claim];
  if (!verdict || !wasJudged(verdict) || verdict.fields.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-wrap gap-1.5" aria-label={`Claims of the ${claim}`}>
      {verdict.fields.map((field) => {
        const { name, ok } = field;
        const mine: Lit = { turn: turn.index, claim, name };
        const words = ok ? name : mistakeIn(field);
        // Observation, prediction and other turns claim the same things.
        const full = `${words}${ok ? " is right" : ""}, ${claim} of turn ${turn.index + 1}`;
        return (
          <li key={keyOf(field)}>
            <button
              type="button"
              className={`min-h-6 rounded border bg-surface px-1.5 text-left text-caption text-text ${
                sameLit(lit, mine) ? "border-accent outline outline-accent" : "border-line-strong"
              }`}
              onPointerEnter={() => onLit(mine)}
              onPointerLeave={() => onLit(null)}
              onFocus={() => onLit(mine)}
              onBlur={() => onLit(null)}
              aria-label={nameOf(full)}
            >
              <span aria-hidden>{ok ? "✓" : "✗"}</span> {words}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The neighbours that the reasoning names wrongly. */
function Neighbours({ turn }: { turn: Turn }) {
  const wrong = verdictOf(turn, "reasoning")?.fields.filter(({ ok }) => !ok) ?? [];
  return wrong.map((field) => (
    <p key={keyOf(field)} className="text-caption">
      <span aria-hidden>✗</span> {mistakeIn(field)}
    </p>
  ));
}

/** Several things in view may have one name. */
const keyOf = ({ name, predicted, truth }: Verdict["fields"][number]) => `${name} ${predicted} ${truth}`;

function SummaryLine({ turn, phases }: { turn: Turn; phases: readonly Phase[] }) {
  const begun = phases.filter(({ kind }) => kind === "action").length;
  const isOver = phases.at(-1)?.kind === "verdict";
  const { observation, prediction } = turn.verdicts;
  const knowsObservation = phases.slice(0, -1).some(({ kind }) => kind === "observation");
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-dense">
      <span className="w-14 flex-none font-semibold whitespace-nowrap">Turn {turn.index + 1}</span>
      <span>
        {turn.executed.slice(0, begun).map(calledName).join(", ") ||
          (isOver ? (turn.tool ? `calls ${turn.tool.name || "a tool"}` : "no action") : "…")}
      </span>
      {knowsObservation && <Mark what="observation" status={observation?.status} />}
      {isOver && <Mark what="prediction" status={prediction?.status} />}
    </p>
  );
}

const MARKS = { match: "✓", partial: "◐", mismatch: "✗", unreadable: "?" } as const;

function Mark({ what, status }: { what: Claim; status: Turn["verdicts"][string]["status"] | undefined }) {
  const mark = status && (MARKS as Partial<Record<string, string>>)[status];
  if (!mark) return null;
  return (
    <span className="flex items-center gap-1 text-caption text-muted">
      <span className="size-2 rounded-full" style={{ background: `var(--${what})` }} aria-hidden />
      {what} <span aria-hidden>{mark}</span>
      <span className="visually-hidden">{status}</span>
    </span>
  );
}

/** The events that have happened by now, as sentences. */
function Events({ events, phases }: { events: readonly ReplayEvent[]; phases: readonly Phase[] }) {
  const now = phases.at(-1);
  const due = events.filter(
    ({ phase }) => now?.kind === "verdict" || phases.slice(0, -1).some(({ kind }) => kind === phase),
  );
  return due.map((event) => <EventLine key={event.kind} event={event} />);
}
