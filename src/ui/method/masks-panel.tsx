// Panel: which tokens the update trains on, and what training without masks would add.
import { useId, useState } from "react";
import { Switch } from "../components/controls.tsx";
import { SECTION_LOOKS } from "../episode/section-look.tsx";
import { formatPercent } from "../lib/format.ts";
import type { MethodEpisode } from "./episode-tokens.ts";
import { partFill, quoted, turnNumber } from "./looks.ts";
import { Panel } from "./panel.tsx";
import { AxisPicture, GIVEN, Lane, Selection, type TokenAxis, TokenSlider } from "./token-axis.tsx";
import { HEADS, TurnHeads } from "./turn-heads.tsx";

const LANE = 20;
const GAP = 10;
const TOP = HEADS + 6;
const topOf = (lane: number) => TOP + lane * (LANE + GAP);
const HEIGHT = topOf(4) - GAP + 4;
const LANES = ["tokens", "response mask", "loss mask", "turn-end mask"];

/** How many tokens there are of each kind. */
interface MaskCounts {
  all: number;
  written: number;
  given: number;
  pictures: number;
  turnEnds: number;
}

export function maskCounts({ count, kept, isPicture, tokens }: MethodEpisode): MaskCounts {
  return {
    all: count,
    written: kept.length,
    given: count - kept.length,
    pictures: isPicture.filter(Boolean).length,
    turnEnds: kept.filter((i) => tokens.turnEndMask[i]).length,
  };
}

export function MasksPanel({ episode, number }: { episode: MethodEpisode; number: number }) {
  const [masked, setMasked] = useState(true);
  const [selected, setSelected] = useState(episode.kept[0] ?? 0);
  const counts = maskCounts(episode);
  const id = useId();
  return (
    <Panel
      number={number}
      title="Masks over tokens"
      lead={
        <>
          The model reads the whole episode as one line of tokens, but it wrote only the coloured ones. Masks
          keep the update to these.
        </>
      }
      students="Without masks, PPO also raises and lowers the likelihood of prompts and pictures, which the policy never chose. All tokens share the same weights, so the replies change with them; the findings below show the damage."
      terms={["responseMask", "lossMask", "gaeMask", "turnEndMask"]}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <label className="flex items-center gap-2 text-dense font-semibold" htmlFor={id}>
          <Switch id={id} checked={!masked} onChange={(off) => setMasked(!off)} />
          Without masks
        </label>
        <PartLegend />
        {!masked && (
          <span className="flex items-center gap-1.5 text-caption text-muted">
            <span className="size-3 rounded-sm bg-danger" aria-hidden />
            Trained on, but not written
          </span>
        )}
      </div>
      <MaskPicture episode={episode} masked={masked} selected={selected} onPick={setSelected} />
      <TokenSlider
        label="Token"
        position={selected}
        last={episode.count - 1}
        text={tokenSentence(episode, selected, masked)}
        onChange={setSelected}
      />
      <p className="min-h-10 text-dense">{tokenSentence(episode, selected, masked)}</p>
      <p className="text-body font-semibold" data-testid="mask-counts">
        {countSentence(counts, masked)}
      </p>
    </Panel>
  );
}

function MaskPicture({
  episode,
  masked,
  selected,
  onPick,
}: {
  episode: MethodEpisode;
  masked: boolean;
  selected: number;
  onPick: (index: number) => void;
}) {
  const labels = LANES.map((name, lane) => ({ name, at: topOf(lane) + LANE / 2 }));
  return (
    <AxisPicture
      name={`The token line of the episode and its masks. ${countSentence(maskCounts(episode), masked)}`}
      count={episode.count}
      height={HEIGHT}
      labels={labels}
      onPick={onPick}
      follow={selected}
    >
      {(axis) => (
        <>
          <MaskLanes episode={episode} masked={masked} axis={axis} />
          <TurnHeads episode={episode} axis={axis} height={HEIGHT} />
          <Selection axis={axis} index={selected} height={HEIGHT} />
        </>
      )}
    </AxisPicture>
  );
}

/** A mask's ones are filled, its zeros a thin line; tokens that only unmasked training adds are in the colour of danger. */
function MaskLanes({ episode, masked, axis }: { episode: MethodEpisode; masked: boolean; axis: TokenAxis }) {
  const { tokens, count } = episode;
  const { gaeMask: written, turnEndMask } = tokens;
  const ones = [
    (i: number) => (written[i] ? "var(--accent)" : null),
    (i: number) => (written[i] ? "var(--accent)" : masked ? null : "var(--danger)"),
    (i: number) => (turnEndMask[i] ? "var(--text)" : null),
  ];
  return (
    <>
      <Lane axis={axis} top={topOf(0)} height={LANE} fillOf={partFill(episode)} />
      {ones.map((fillOf, n) => (
        <g key={LANES[n + 1]}>
          <rect
            y={topOf(n + 1) + LANE - 1}
            width={count * axis.column}
            height={1}
            fill="var(--line-strong)"
          />
          <Lane axis={axis} top={topOf(n + 1)} height={LANE} fillOf={fillOf} />
        </g>
      ))}
    </>
  );
}

const PARTS = ["observation", "reasoning", "prediction", "answer"] as const;
const PART_COLORS = ["--observation", "--reasoning", "--prediction", "--action"];

/** What the colours of the token line mean. */
export function PartLegend() {
  return (
    <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-caption text-muted" aria-label="Colours">
      {PARTS.map((part, i) => (
        <li key={part} className="flex items-center gap-1.5">
          <span className="size-3 rounded-sm" style={{ background: `var(${PART_COLORS[i]})` }} aria-hidden />
          {SECTION_LOOKS[part].label}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <svg width="12" height="12" aria-hidden="true">
          <rect width="12" height="12" rx="2" fill={GIVEN} stroke="var(--line-strong)" />
        </svg>
        Given to the policy
      </li>
    </ul>
  );
}

function tokenSentence(episode: MethodEpisode, index: number, masked: boolean): string {
  const { tokens } = episode;
  const head = `Token ${index + 1} of ${episode.count}, turn ${turnNumber(episode, index)}: ${quoted(episode, index)}. `;
  if (!tokens.gaeMask[index])
    return (
      head +
      (masked
        ? "It was given to the policy, so it is in no mask."
        : "It was given to the policy, but the update trains on it anyway.")
    );
  if (!tokens.turnEndMask[index]) return `${head}The policy wrote it, so the update trains on it.`;
  return `${head}It ends the turn: the turn's reward of ${Number((tokens.rewards[index] as number).toFixed(3))} lands here.`;
}

/** The counts as a sentence. */
export function countSentence({ all, written, given, pictures }: MaskCounts, masked: boolean): string {
  const share = formatPercent(given / all);
  return masked
    ? `The update trains on ${written} of ${all} tokens. The other ${given} (${share}) are prompts, ${pictures} of them patches of pictures.`
    : `The update trains on all ${all} tokens, though the policy wrote only ${written}: ${given} (${share}) are prompts and pictures that it never chose.`;
}
