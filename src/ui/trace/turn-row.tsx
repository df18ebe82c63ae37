// One turn of a trace: what the agent saw, what it was given and wrote, token by token, and the result.
import { memo } from "react";
import type { Turn } from "../../core/types.ts";
import type { FloorPlan } from "../../envs/env.ts";
import type { ReplayEvent } from "../../replay/events.ts";
import { AfterTurn } from "../episode/after-turn.tsx";
import type { TurnFrames } from "../episode/replay-frames.ts";
import { SectionBlock } from "../episode/section-look.tsx";
import { TaskReward } from "../episode/task-reward.tsx";
import type { TurnTokens } from "../episode/token-model.ts";
import { Actions, FormatLine, RewardParts, VerdictOf } from "../episode/turn-parts.tsx";
import { counted } from "../lib/format.ts";
import { EventLine } from "../replay/event-line.tsx";
import type { Playback } from "../replay/playback.ts";
import type { PictureView } from "../store/ui-store.ts";
import { ConversationBreak } from "./conversation-break.tsx";
import { Token } from "./token.tsx";
import { TurnPicture, turnTitle } from "./turn-picture.tsx";

interface TurnRowProps {
  /** The environment of the episode. */
  envId: string;
  /** Its options; the same object as long as they are the same. */
  envConfig: unknown;
  tokens: TurnTokens;
  /** The turn before it, which predicted what it begins with. */
  previous: Turn | undefined;
  frames: TurnFrames | null;
  /** Plays the turn on its picture; null for other turns than the current one. */
  playback: Playback | null;
  /** The floor of the level, where it has one. */
  floor: FloorPlan | null;
  view: PictureView;
  /** The class of every token of the trajectory under the current map. */
  classes: readonly string[];
  mapClass: string;
  /** Selected token, if it is in this turn. */
  selected: number | null;
  current: boolean;
  /** Whether tokens that the policy was given are shown. */
  showGiven: boolean;
  events: readonly ReplayEvent[];
  /** Without tokens: pictures, actions and rewards. */
  isSummary: boolean;
  /** Number of its conversation, from 1. */
  conversation: number;
  /** Whether no later turn shows what this one led to. */
  isLast: boolean;
}

export const TurnRow = memo(function TurnRow(props: TurnRowProps) {
  const { summary } = props.tokens;
  return (
    <>
      <TurnCard {...props} />
      {summary && <ConversationBreak {...props} summary={summary} number={props.conversation + 1} />}
    </>
  );
});

function TurnCard(props: TurnRowProps) {
  const { envId, envConfig, tokens, mapClass, current, showGiven, events, isSummary } = props;
  const { turn } = tokens;
  return (
    <article
      id={`turn-${turn.index}`}
      aria-label={`Turn ${turn.index + 1}`}
      className={`card scroll-mt-40 p-3 lg:scroll-mt-[calc(var(--bar-height)+12px)] [contain-intrinsic-size:auto_420px] [content-visibility:auto] ${current ? "!border-accent" : ""}`}
    >
      <div className="grid gap-4 sm:grid-cols-[200px_minmax(0,1fr)]">
        <TurnPictures {...props} />
        <div className={`flex min-w-0 flex-col gap-1.5 ${mapClass}`}>
          {showGiven && !isSummary && <GivenTokens {...props} />}
          {!isSummary && <WrittenTokens {...props} />}
          <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1.5">
            <Actions turn={turn} />
            <FormatLine turn={turn} />
            <RewardParts turn={turn} />
          </div>
          <TaskReward envId={envId} envConfig={envConfig} turn={turn} />
          {events.map((event) => (
            <EventLine key={event.kind} event={event} />
          ))}
        </div>
      </div>
    </article>
  );
}

function TurnPictures({ tokens, ...props }: TurnRowProps) {
  const { turn } = tokens;
  const { envId, frames, floor, view, isLast } = props;
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-dense font-semibold">{turnTitle(turn)}</h2>
      {/* Small enough on a phone for the words below it, which a player marks, to be in view. */}
      <div className="flex flex-col gap-2 max-sm:[&_.picture]:mx-auto max-sm:[&_.picture]:w-52">
        <TurnPicture turn={turn} {...props} />
        <AfterTurn envId={envId} turn={turn} frames={frames} floor={floor} view={view} isLast={isLast} />
      </div>
    </div>
  );
}

/** The observation and whatever else the policy did not write. */
function GivenTokens(props: TurnRowProps) {
  return (
    <SectionBlock kind="environment">
      <p className="hatch rounded font-mono text-dense leading-6">
        {props.tokens.given.map((entry) =>
          "imageTokens" in entry ? (
            <span
              key={entry.index}
              className="mx-0.5 rounded border border-line-strong bg-surface px-1.5 text-caption"
            >
              ▣ image · {counted(entry.imageTokens, "token")}
            </span>
          ) : (
            <Token key={entry.index} token={entry} stop={-1} {...props} />
          ),
        )}
      </p>
    </SectionBlock>
  );
}

function WrittenTokens(props: TurnRowProps) {
  const { turn, groups } = props.tokens;
  // One tab stop a turn: the selected token, or the first that the policy wrote.
  const stop = props.selected ?? groups[0]?.tokens[0]?.index ?? -1;
  return groups.map((group) => (
    <SectionBlock
      key={group.tokens[0]!.index}
      kind={group.kind}
      aside={<VerdictOf turn={turn} kind={group.kind} />}
    >
      <p className="font-mono leading-6">
        {group.tokens.map((token) => (
          <Token key={token.index} token={token} stop={stop} {...props} />
        ))}
      </p>
    </SectionBlock>
  ));
}
