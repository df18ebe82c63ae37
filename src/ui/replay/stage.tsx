// What a player shows: title and outcome, picture, words.
import { useState } from "react";
import { Chip } from "../components/controls.tsx";
import { outcomeOf, outcomeText } from "../episode/outcome.ts";
import type { Lit } from "./claims.ts";
import type { Playback, PlayedReplay } from "./playback.ts";
import { PlayerPicture } from "./player-picture.tsx";
import { TurnList } from "./turn-list.tsx";

/** Title and outcome; where there is little room, how a task was lost is left out. */
export function ReplayHead({ replay: { title, trajectory } }: { replay: PlayedReplay }) {
  const outcome = outcomeOf(trajectory);
  const { mark, word, how, tone } = outcome;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <h3 className="text-body font-semibold">{title}</h3>
      <Chip tone={tone} title={outcomeText(outcome)}>
        <span>
          <span aria-hidden>{mark}</span> {word}
          {how && <span className="@max-md:visually-hidden">: {how}</span>}
        </span>
      </Chip>
    </div>
  );
}

/** Picture and words, or board and pad: side by side where there is room. */
export const TWO_COLUMNS =
  "grid gap-4 @xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] @3xl:grid-cols-[420px_minmax(0,1fr)]";

/**
 * For words beside pictures, which may be taller than the window: the words are no taller than what the window has room for between what is
 * around them (`--around`, with the timeline) and stay in it.
 */
const BESIDE = {
  place: "@xl:absolute @xl:inset-0",
  list: "@xl:sticky @xl:top-[calc(var(--sticky-top,0px)+12px)] @xl:max-h-[max(252px,min(100%,100dvh-var(--around,220px)))]",
};

/** Picture and words of one replay, side by side where there is room. */
export function Stage({ playback, beliefs }: { playback: Playback; beliefs: boolean }) {
  const [lit, setLit] = useState<Lit | null>(null);
  return (
    <div className={TWO_COLUMNS}>
      <PlayerPicture playback={playback} beliefs={beliefs} lit={lit} onLit={setLit} />
      <div className="relative min-w-0">
        <div className={BESIDE.place}>
          <TurnList playback={playback} lit={lit} onLit={setLit} className={`max-h-80 ${BESIDE.list}`} />
        </div>
      </div>
    </div>
  );
}
