// Panel: the reply formats, each with a reply that was recorded.
import { useState } from "react";
import { type FormatId, formats as known, PAPER_NAMES, type PaperFormatId } from "../../core/formats.ts";
import type { Replay } from "../../replay/replay.ts";
import { Segmented } from "../components/controls.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { cachedReplay } from "../episode/replay-frames.ts";
import { SECTION_LOOKS } from "../episode/section-look.tsx";
import { ReplyText } from "../episode/turn-parts.tsx";
import { counted, formatPercent } from "../lib/format.ts";
import { Panel } from "./panel.tsx";

/** What each of the paper's formats asks for and what is judged of it, in the order in which they add parts. */
const ABOUT: Readonly<Record<PaperFormatId, string>> = {
  no_think: "The agent writes its actions and nothing else, so it says nothing that could be judged.",
  free_think:
    "The agent writes a thought, then its actions. The thought is one piece: no part of it states where things are or what will come, so no observation and no prediction is judged. Only what it says of the four cells beside the player is compared with the true state.",
  grounding:
    "The agent first writes where things are, then its reasoning and its actions. This observation is judged against the state before the actions.",
  worldmodeling:
    "The agent writes its reasoning, then where its actions will lead, then the actions. This prediction is judged against the state after them.",
  grounding_worldmodeling:
    "The agent writes both: the observation before its reasoning and the prediction after it. Each is judged against the state that it is about.",
};

/** A recording for each format that has one. */
export type FormatReplays = Partial<Record<FormatId, Replay>>;

/** The formats with a recording, in the order of the table. */
export const recordedFormats = (replays: FormatReplays): PaperFormatId[] =>
  (Object.keys(ABOUT) as PaperFormatId[]).filter((id) => replays[id]?.trajectory.turns.length);

export function FormatsPanel({ replays, number }: { replays: FormatReplays; number: number }) {
  const recorded = recordedFormats(replays);
  const [chosen, setChosen] = useState<PaperFormatId | null>(null);
  const id = chosen && recorded.includes(chosen) ? chosen : recorded.at(-1)!;
  return (
    <Panel
      number={number}
      title="Reasoning formats"
      lead="The format decides what the agent must say before it acts. Here is the first reply of a recorded episode for each format."
      students="A network has only a few layers between picture and action. When it first writes down what it sees, later tokens can build on these words. A claim in words can also be checked, and so be rewarded."
      terms={["turn", "trajectory"]}
    >
      <Segmented
        name="Reasoning format"
        className="self-start max-sm:w-full max-sm:flex-col"
        value={id}
        choices={recorded.map((value) => ({ value, label: PAPER_NAMES[value] }))}
        onChange={setChosen}
      />
      <Recorded id={id} replay={replays[id]!} />
    </Panel>
  );
}

function Recorded({ id, replay }: { id: PaperFormatId; replay: Replay }) {
  const { trajectory, config, provenance } = replay;
  const turn = trajectory.turns[0]!;
  const replayed = cachedReplay(trajectory, config.env.config);
  const frame = replayed.ok ? replayed.turns[0]?.before : undefined;
  const { tokens } = trajectory;
  const written = tokens.responseMask.filter((kept, i) => kept && tokens.turnIndex[i] === 0).length;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[180px_minmax(0,1fr)]">
      <div className="max-w-[180px]">
        {frame && (
          <div className="overflow-hidden rounded-lg border border-line">
            <FrameCanvas frame={frame} label="What the agent sees in its first turn" />
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="text-body">
          {ABOUT[id]} {partsSentence(id)} The setting is{" "}
          <code className="font-mono text-dense">prompt_format: {id}</code>.
        </p>
        <ReplyText turn={turn} />
        <p className="text-dense text-muted">
          This reply has {counted(written, "token")}. The policy that wrote it had{" "}
          {counted(config.sft.total_updates, "update")} of SFT and {counted(provenance.update, "update")} of
          PPO in this format and succeeds in {formatPercent(provenance.success.rate)} of{" "}
          {provenance.success.episodes} validation episodes.
        </p>
      </div>
    </div>
  );
}

/** The parts of a format in their order. */
function partsSentence(id: FormatId): string {
  const parts = known.get(id).parts.map((part) => SECTION_LOOKS[part].label.toLowerCase());
  return `Parts: ${parts.join(" → ")}.`;
}
