// The method in pictures: seven panels on a recorded episode.
import { type ComponentType, useMemo } from "react";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { BiLevelPanel } from "./bi-level-panel.tsx";
import { hasValues, type MethodEpisode, methodEpisode } from "./episode-tokens.ts";
import { FindingsPanel } from "./findings-panel.tsx";
import { type FormatReplays, FormatsPanel, recordedFormats } from "./formats-panel.tsx";
import { MasksPanel } from "./masks-panel.tsx";
import { TokenGaePanel } from "./token-gae-panel.tsx";
import { TurnLoopPanel } from "./turn-loop-panel.tsx";
import { WhatIfPanel } from "./what-if-panel.tsx";

/** What the section shows. */
export interface MethodReplays {
  /** The episode that all panels but the formats compute on: several turns, with values. */
  episode: Replay;
  /** A replay for each reply format that was recorded; a format without one has no tab. */
  formats: FormatReplays;
}

export default function MethodSection({
  replays,
  cases = [],
}: {
  replays: MethodReplays;
  /** Case studies that findings may lead to. */
  cases?: readonly CaseStudy[];
}) {
  const episode = useMemo(() => methodEpisode(replays.episode), [replays.episode]);
  const panels: PanelOf[] = [
    TurnLoopPanel,
    ...(recordedFormats(replays.formats).length > 0 ? [Formats] : []),
    MasksPanel,
    ...(hasValues(episode) ? [TokenGaePanel, BiLevelPanel, WhatIfPanel] : []),
    Findings,
  ];
  return (
    <section aria-labelledby="method" className="flex min-w-0 flex-col gap-4">
      <header>
        <h2 id="method" className="text-h2 font-semibold">
          The method in pictures
        </h2>
        <p className="mt-1 max-w-[80ch] text-body text-muted">
          How a policy learns, shown on one recorded episode. Every number is from the recording, or computed
          from it in this page.
        </p>
      </header>
      {panels.map((Shown, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a panel is its identity
        <Shown key={n} number={n + 1} episode={episode} formats={replays.formats} cases={cases} />
      ))}
    </section>
  );
}

/** A panel takes what it needs of this. */
type PanelOf = ComponentType<{
  number: number;
  episode: MethodEpisode;
  formats: FormatReplays;
  cases: readonly CaseStudy[];
}>;

const Formats: PanelOf = ({ formats, number }) => <FormatsPanel replays={formats} number={number} />;
const Findings: PanelOf = ({ cases, number }) => <FindingsPanel cases={cases} number={number} />;
