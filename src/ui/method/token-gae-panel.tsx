// Panel: masked GAE, token by token. The recursion runs backwards over the kept tokens and jumps over the others.
import { useMemo } from "react";
import type { AdvantageParams } from "../../rl/advantage/estimator.ts";
import { counted } from "../lib/format.ts";
import { type MethodEpisode, paramsOf } from "./episode-tokens.ts";
import { Arc, Bars, Frame, Line, ticksOf } from "./graph.tsx";
import { partFill, quoted, turnNumber } from "./looks.ts";
import { PartLegend } from "./masks-panel.tsx";
import { bracketed, discount, Formula, Formulas, signed, written } from "./numbers.tsx";
import { Panel } from "./panel.tsx";
import { bothAdvantages, contributionsByTurn, maskedSteps, type TokenStep } from "./recursion.ts";
import { extentWithZero, linear } from "./scale.ts";
import { useWalk, type Walk, WalkButtons } from "./stepper.tsx";
import { AxisPicture, Lane, Selection, TokenSlider } from "./token-axis.tsx";
import { HEADS, TurnHeads } from "./turn-heads.tsx";

const ARC = 34;
const STRIP = { top: HEADS + ARC, height: 16 };
const DELTA = { top: STRIP.top + 28, bottom: STRIP.top + 98 };
const ADVANTAGE = { top: DELTA.bottom + 20, bottom: DELTA.bottom + 120 };
const HEIGHT = ADVANTAGE.bottom + 8;
/** A step every so often while the recursion plays. */
const TOKEN_MS = 140;

export function TokenGaePanel({ episode, number }: { episode: MethodEpisode; number: number }) {
  const params = paramsOf(episode.replay.config);
  // The parameters are those of the replay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const steps = useMemo(() => maskedSteps(episode.tokens, params), [episode]);
  const walk = useWalk(steps.length - 1, TOKEN_MS, steps.length - 1 - lastJump(steps));
  // The walk begins at the last token.
  const position = steps.length - 1 - walk.step;
  const step = steps[position]!;
  return (
    <Panel
      number={number}
      title="Token-level GAE, masked"
      lead="PPO (proximal policy optimisation), the algorithm that trains the policy, needs an advantage for every token that the policy wrote. Generalised advantage estimation (GAE) asks of each: did things turn out better than the critic expected? It begins at the last token and works backwards. Tokens that the policy was given are skipped, so the next kept token is the successor even across a prompt."
      students={`δ is the surprise at one token: reward plus the next value, minus the value here. The advantage A adds up the surprises from there on, each shrunk by γλ per token (here ${discount(params.gamma)} × ${discount(params.lambda)}).`}
      terms={["gaeMask", "value", "critic", "advantage", "return"]}
    >
      <Controls episode={episode} steps={steps} position={position} walk={walk} />
      <GaePicture
        episode={episode}
        steps={steps}
        position={position}
        onPick={(index) => walk.go(steps.length - 1 - nearest(steps, index))}
      />
      <StepFormulas episode={episode} step={step} params={params} />
      <Contributions episode={episode} steps={steps} position={position} params={params} />
    </Panel>
  );
}

function Controls({
  episode,
  steps,
  position,
  walk,
}: {
  episode: MethodEpisode;
  steps: readonly TokenStep[];
  position: number;
  walk: Walk;
}) {
  const { index } = steps[position]!;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <WalkButtons walk={walk} back="One token later" forward="Step backwards" />
      <TokenSlider
        label="Token"
        position={position}
        last={steps.length - 1}
        text={`${quoted(episode, index)}, turn ${turnNumber(episode, index)}, advantage ${signed(steps[position]!.advantage)}`}
        onChange={(to) => walk.go(steps.length - 1 - to)}
      />
      <div className="basis-full">
        <PartLegend />
      </div>
    </div>
  );
}

/** The last kept token that has a prompt before its successor: a good one to begin with. The last token if there is none. */
export function lastJump(steps: readonly TokenStep[]): number {
  const found = steps.findLastIndex(({ index, next }) => next !== null && next > index + 1);
  return found < 0 ? steps.length - 1 : found;
}

/** The kept token that is nearest to a position. */
export function nearest(steps: readonly { index: number }[], index: number): number {
  return steps.reduce(
    (best, step, k) => (Math.abs(step.index - index) < Math.abs(steps[best]!.index - index) ? k : best),
    0,
  );
}

function byIndex(count: number, steps: readonly TokenStep[], of: (step: TokenStep) => number): Float64Array {
  const values = new Float64Array(count);
  for (const step of steps) values[step.index] = of(step);
  return values;
}

interface PictureProps {
  episode: MethodEpisode;
  steps: readonly TokenStep[];
  position: number;
  onPick: (index: number) => void;
}

function GaePicture({ episode, steps, position, onPick }: PictureProps) {
  const { count } = episode;
  const deltas = byIndex(count, steps, ({ delta }) => delta);
  const advantages = byIndex(count, steps, ({ advantage }) => advantage);
  const both = bothAdvantages(episode.tokens, paramsOf(episode.replay.config));
  const [deltaExtent, advantageExtent] = [extentWithZero(deltas), extentWithZero(both)];
  const delta = linear(deltaExtent, DELTA.top, DELTA.bottom);
  const advantage = linear(advantageExtent, ADVANTAGE.top, ADVANTAGE.bottom);
  const { index, next } = steps[position]!;
  const isKept = (i: number) => episode.tokens.gaeMask[i] === 1;
  const [ahead, reached] = [steps.slice(0, position), steps.slice(position)].map((part) =>
    part.map((step) => step.index),
  );
  return (
    <AxisPicture
      name={`Surprise δ and advantage A of every kept token. Token ${index + 1}, ${quoted(episode, index)}, is selected.`}
      count={count}
      height={HEIGHT}
      onPick={onPick}
      follow={index}
      labels={[
        { name: "tokens", at: STRIP.top + STRIP.height / 2 },
        { name: "surprise δ", at: (DELTA.top + DELTA.bottom) / 2 },
        { name: "advantage A", at: (ADVANTAGE.top + ADVANTAGE.bottom) / 2 },
        ...ticksOf(delta, deltaExtent),
        ...ticksOf(advantage, advantageExtent),
      ]}
    >
      {(axis) => (
        <>
          <Lane axis={axis} top={STRIP.top} height={STRIP.height} fillOf={partFill(episode)} />
          <TurnHeads episode={episode} axis={axis} height={HEIGHT} />
          <Frame axis={axis} scale={delta} extent={deltaExtent} />
          <Bars axis={axis} scale={delta} positions={ahead!} values={deltas} faint />
          <Bars axis={axis} scale={delta} positions={reached!} values={deltas} />
          <Frame axis={axis} scale={advantage} extent={advantageExtent} />
          <Line
            axis={axis}
            scale={advantage}
            values={advantages}
            isDrawn={(i) => i < index && isKept(i)}
            color="var(--accent)"
            faint
          />
          <Line
            axis={axis}
            scale={advantage}
            values={advantages}
            isDrawn={(i) => i >= index && isKept(i)}
            color="var(--accent)"
          />
          <Selection axis={axis} index={index} height={HEIGHT} />
          {next !== null && (
            <Arc from={axis.mid(index)} to={axis.mid(next)} y={STRIP.top - 2} rise={ARC - 14} />
          )}
        </>
      )}
    </AxisPicture>
  );
}

function StepFormulas({
  episode,
  step,
  params: { gamma, lambda },
}: {
  episode: MethodEpisode;
  step: TokenStep;
  params: AdvantageParams;
}) {
  const { index, next, reward, value, nextValue, delta, nextAdvantage, advantage } = step;
  return (
    <div className="flex flex-col gap-1.5 rounded-lg bg-panel p-3">
      <p className="text-dense">
        <span className="font-semibold">
          Token {index + 1}, {quoted(episode, index)}, turn {turnNumber(episode, index)}.
        </span>{" "}
        {successor(episode, step)}
      </p>
      <Formulas>
        <Formula
          name="delta"
          symbols="δ = r + γ·V(next) − V(here)"
          numbers={
            <>
              {written(reward)} + {discount(gamma)} · {written(nextValue)} − {written(value)} ={" "}
              <b>{signed(delta)}</b>
            </>
          }
        />
        <Formula
          name="advantage"
          symbols="A = δ + γ·λ·A(next)"
          numbers={
            <>
              {signed(delta)} + {discount(gamma)} · {discount(lambda)} · {bracketed(nextAdvantage)} ={" "}
              <b>{signed(advantage)}</b>
            </>
          }
        />
      </Formulas>
      {next === null && <p className="text-caption text-muted">After the last token V and A are 0.</p>}
    </div>
  );
}

/** Which token comes next, and what is skipped on the way. */
function successor(episode: MethodEpisode, { index, next }: TokenStep): string {
  if (next === null) return "It is the last token, so the recursion begins here.";
  const skipped = next - index - 1;
  return skipped === 0
    ? `Its successor is ${quoted(episode, next)}, right behind it.`
    : `Its successor is ${quoted(episode, next)} of turn ${turnNumber(episode, next)}: the jump skips ${counted(skipped, "given token")}.`;
}

function Contributions({
  episode,
  steps,
  position,
  params: { gamma, lambda },
}: {
  episode: MethodEpisode;
  steps: readonly TokenStep[];
  position: number;
  params: AdvantageParams;
}) {
  const parts = contributionsByTurn(steps, position, gamma * lambda, (i) => turnNumber(episode, i));
  const { advantage } = steps[position]!;
  return (
    <p className="nums text-dense text-muted">
      Surprises from here on, by turn:{" "}
      {parts.map(({ turn, sum }) => `turn ${turn} ${signed(sum)}`).join(", ")}. They add up to{" "}
      {signed(advantage)}.
    </p>
  );
}
