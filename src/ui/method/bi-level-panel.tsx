// Panel: Bi-Level GAE. First the recursion runs from turn to turn, then within each turn, where it stops at the boundary.
import { useMemo } from "react";
import { biLevelGae } from "../../rl/advantage/bi-level-gae.ts";
import type { AdvantageParams } from "../../rl/advantage/estimator.ts";
import { maskedGae } from "../../rl/advantage/masked-gae.ts";
import { type MethodEpisode, paramsOf } from "./episode-tokens.ts";
import { Arc, Frame, Line, ticksOf } from "./graph.tsx";
import { differenceOf, isRounding, whyMaskedIsNotBiLevel } from "./identical.ts";
import { partFill, quoted, turnNumber, turnStarts } from "./looks.ts";
import { bracketed, discount, Formula, Formulas, GammaTurn, signed, written } from "./numbers.tsx";
import { Panel } from "./panel.tsx";
import { bothAdvantages, type TokenStep, type TurnStep, turnSteps, withinTurnSteps } from "./recursion.ts";
import { extentWithZero, linear } from "./scale.ts";
import { useWalk, WalkButtons } from "./stepper.tsx";
import { AxisPicture, Lane, type TokenAxis } from "./token-axis.tsx";

const ARC = 30;
const BLOCK = { top: ARC + 4, height: 78 };
const STRIP = { top: BLOCK.top + BLOCK.height + 34, height: 16 };
const ADVANTAGE = { top: STRIP.top + 36, bottom: STRIP.top + 136 };
const HEIGHT = ADVANTAGE.bottom + 8;
/** A step every so often while the panel plays. */
const STAGE_MS = 1500;

/** Where the walk is: all turns are gone through from the last, and then the tokens of each. */
interface Stage {
  readonly level: "turns" | "tokens";
  /** Index of the turn that the step is about. */
  readonly turn: number;
}

/** The stage of a step, 0…2·turns − 1. */
export const stageAt = (step: number, turns: number): Stage => ({
  level: step < turns ? "turns" : "tokens",
  turn: turns - 1 - (step % turns),
});

export function BiLevelPanel({ episode, number }: { episode: MethodEpisode; number: number }) {
  const params = paramsOf(episode.replay.config);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters are those of the replay
  const [turns, steps] = useMemo(
    () => [turnSteps(episode.tokens, params), withinTurnSteps(episode.tokens, params)],
    [episode],
  );
  const last = 2 * turns.length - 1;
  // The result first: the steps that lead to it explain something that is already in view.
  const walk = useWalk(last, STAGE_MS, last);
  const stage = stageAt(walk.step, turns.length);
  return (
    <Panel
      number={number}
      title="Bi-Level GAE"
      lead="Masked GAE treats the episode as one long chain of tokens. Bi-Level GAE works on two levels: first it gives every turn an advantage, in a chain over the turns with its own discount (γ turn); then it spreads each turn's result over the tokens of that turn alone. What happens later therefore reaches a token only through its turn. The picture shows the result; Start goes through both levels step by step."
      students={`The upper level decides which turn was good or bad; the lower level decides which words within it. The discount between turns is ${discount(params.turnGamma)} here. A discount for each token would value the same game less the longer the agent's replies are; one for each turn does not.`}
      terms={["turn", "value", "turnGamma", "turnAnchor", "return"]}
    >
      <WalkButtons walk={walk} back="Back" forward={stage.level === "turns" ? "Next turn" : "Next tokens"} />
      <BiLevelPicture
        episode={episode}
        turns={turns}
        steps={steps}
        stage={stage}
        onPick={(index) => walk.go(stepOfToken(turns, stage.level, index))}
      />
      {stage.level === "turns" ? (
        <TurnFormulas turns={turns} turn={stage.turn} params={params} />
      ) : (
        <TokenFormulas turns={turns} turn={stage.turn} steps={steps} params={params} />
      )}
      <p className="text-dense" data-testid="bi-level-against-masked">
        {againstMasked(episode, params)}
      </p>
    </Panel>
  );
}

/** Where and why the two estimators differ most on this episode, for a person who looks at both lines. */
function againstMasked(episode: MethodEpisode, params: AdvantageParams): string {
  const { tokens } = episode;
  const lines = "The solid line is Bi-Level GAE; the dashed one is masked GAE, from the panel above.";
  const { largest, at } = differenceOf(maskedGae, biLevelGae, tokens, params);
  if (at === null || isRounding({ largest }, tokens)) return `${lines} On this episode they agree.`;
  const [masked, biLevel] = [maskedGae, biLevelGae].map(
    (one) => one.estimate(tokens, params).advantages[at]!,
  );
  return `${lines} They differ most at ${quoted(episode, at)} in turn ${turnNumber(episode, at)}: masked GAE gives it ${signed(masked!)}, Bi-Level GAE ${signed(biLevel!)}. ${whyMaskedIsNotBiLevel(params)}`;
}

/** The step about the turn at a token, on the same level. */
function stepOfToken(turns: readonly TurnStep[], level: Stage["level"], index: number): number {
  const found = turns.findIndex(({ end }) => index <= end);
  const turn = found < 0 ? turns.length - 1 : found;
  return turns.length - 1 - turn + (level === "tokens" ? turns.length : 0);
}

interface PictureProps {
  episode: MethodEpisode;
  turns: readonly TurnStep[];
  steps: readonly TokenStep[];
  stage: Stage;
  onPick: (index: number) => void;
}

function BiLevelPicture({ episode, turns, steps, stage, onPick }: PictureProps) {
  const advantages = new Float64Array(episode.count);
  for (const { index, advantage } of steps) advantages[index] = advantage;
  const params = paramsOf(episode.replay.config);
  const extent = extentWithZero(bothAdvantages(episode.tokens, params));
  const masked = maskedGae.estimate(episode.tokens, params).advantages;
  const scale = linear(extent, ADVANTAGE.top, ADVANTAGE.bottom);
  const isTokens = stage.level === "tokens";
  const from = isTokens ? turns[stage.turn]!.start : episode.count;
  const about = isTokens ? `the tokens of turn ${stage.turn + 1}` : `turn ${stage.turn + 1}`;
  return (
    <AxisPicture
      name={`Bi-Level GAE: turns with their rewards, values and advantages, and below them the tokens. The step is about ${about}.`}
      count={episode.count}
      height={HEIGHT}
      onPick={onPick}
      follow={Math.round(((turnStarts(episode)[stage.turn] ?? 0) + turns[stage.turn]!.end) / 2)}
      labels={[
        { name: "turns", at: BLOCK.top + BLOCK.height / 2 },
        { name: "tokens", at: STRIP.top + STRIP.height / 2 },
        { name: "advantage A", at: (ADVANTAGE.top + ADVANTAGE.bottom) / 2 },
        ...ticksOf(scale, extent),
      ]}
    >
      {(axis) => (
        <>
          <Walls episode={episode} axis={axis} isUp={isTokens} />
          {turns.map((turn, k) => (
            <TurnBlock
              key={turn.end}
              turn={turn}
              name={`Turn ${k + 1}`}
              box={boxOf(episode, turns, k, axis)}
              known={isTokens || k >= stage.turn}
              current={k === stage.turn}
            />
          ))}
          <Lane axis={axis} top={STRIP.top} height={STRIP.height} fillOf={partFill(episode)} />
          <Frame axis={axis} scale={scale} extent={extent} />
          {[masked, advantages].map((values, k) => (
            <Line
              key={k === 0 ? "masked" : "bi-level"}
              {...{ axis, scale, values }}
              isDrawn={(i) => i >= from && episode.tokens.gaeMask[i] === 1}
              color={k === 0 ? "var(--text)" : "var(--accent)"}
              dashed={k === 0}
            />
          ))}
          {!isTokens && (
            <text x={8} y={ADVANTAGE.top + 22} fontSize={12} fill="var(--muted)">
              Level 2 fills this in when every turn has its advantage.
            </text>
          )}
          <Arrow stage={stage} turns={turns} episode={episode} axis={axis} />
        </>
      )}
    </AxisPicture>
  );
}

interface Box {
  x: number;
  width: number;
}

/** The block of a turn covers its prompt and its reply. */
function boxOf(episode: MethodEpisode, turns: readonly TurnStep[], k: number, axis: TokenAxis): Box {
  const start = turnStarts(episode)[k] ?? turns[k]!.start;
  return { x: axis.x(start) + 2, width: axis.x(turns[k]!.end + 1) - axis.x(start) - 4 };
}

function TurnBlock({
  turn: { reward, value, advantage },
  name,
  box: { x, width },
  known,
  current,
}: {
  turn: TurnStep;
  name: string;
  box: Box;
  /** The recursion has been here. */
  known: boolean;
  current: boolean;
}) {
  const lines = [`r ${signed(reward)}`, `V ${written(value)}`, known ? `A ${signed(advantage)}` : "A ?"];
  return (
    <g>
      <rect
        x={x}
        y={BLOCK.top}
        width={width}
        height={BLOCK.height}
        rx={6}
        fill={current ? "var(--accent-wash)" : "var(--panel)"}
        stroke={current ? "var(--accent)" : "var(--line-strong)"}
        strokeWidth={current ? 2 : 1}
      />
      <text x={x + 8} y={BLOCK.top + 17} fontSize={12} fontWeight={600} fill="var(--text)">
        {name}
      </text>
      {lines.map((line, n) => (
        <text
          key={line}
          x={x + 8}
          y={BLOCK.top + 35 + n * 17}
          fontSize={12}
          fill={n === 2 && !known ? "var(--muted)" : "var(--text)"}
          fontWeight={n === 2 && known ? 600 : 400}
          className="nums"
        >
          {line}
        </text>
      ))}
    </g>
  );
}

/** The boundaries of turns: a thin line while turns are compared, a wall while tokens are. */
function Walls({ episode, axis, isUp }: { episode: MethodEpisode; axis: TokenAxis; isUp: boolean }) {
  const ends = turnStarts(episode).slice(1);
  return ends.map((index) => (
    <g key={index}>
      <rect
        x={axis.x(index) - (isUp ? 3 : 0.5)}
        y={STRIP.top - 6}
        width={isUp ? 6 : 1}
        height={HEIGHT - STRIP.top + 4}
        rx={isUp ? 2 : 0}
        fill={isUp ? "var(--text)" : "var(--line-strong)"}
      />
      {isUp && (
        <text x={axis.x(index) + 7} y={STRIP.top + STRIP.height + 15} fontSize={11} fill="var(--muted)">
          wall
        </text>
      )}
    </g>
  ));
}

/** From a turn to the next while turns are compared; down to the turn's last token while its tokens are. */
function Arrow({
  stage: { level, turn },
  turns,
  episode,
  axis,
}: {
  stage: Stage;
  turns: readonly TurnStep[];
  episode: MethodEpisode;
  axis: TokenAxis;
}) {
  const middle = (k: number) => {
    const { x, width } = boxOf(episode, turns, k, axis);
    return x + width / 2;
  };
  if (level === "turns")
    return turn + 1 < turns.length ? (
      <Arc from={middle(turn + 1)} to={middle(turn)} y={BLOCK.top - 2} rise={ARC - 12} />
    ) : null;
  const x = axis.mid(turns[turn]!.end);
  const [y1, y2] = [BLOCK.top + BLOCK.height + 2, STRIP.top - 3];
  return (
    <g stroke="var(--accent)" strokeWidth={2} fill="none">
      <line x1={x} x2={x} y1={y1} y2={y2} />
      <path d={`M ${x - 5} ${y2 - 6} L ${x} ${y2} L ${x + 5} ${y2 - 6}`} strokeLinejoin="round" />
      <text x={x - 8} y={(y1 + y2) / 2 + 4} fontSize={12} textAnchor="end" fill="var(--text)" stroke="none">
        return {written(turns[turn]!.turnReturn)}
      </text>
    </g>
  );
}

function TurnFormulas({
  turns,
  turn,
  params: { turnGamma, lambda, turnLambda = lambda, turnAnchor },
}: {
  turns: readonly TurnStep[];
  turn: number;
  params: AdvantageParams;
}) {
  const { reward, value, nextValue, delta, nextAdvantage, advantage } = turns[turn]!;
  const isLast = turn === turns.length - 1;
  return (
    <div className="flex flex-col gap-1.5 rounded-lg bg-panel p-3" data-testid="turn-formulas">
      <p className="text-dense">
        <span className="font-semibold">Level 1, turn {turn + 1}.</span>{" "}
        {isLast ? "It is the last turn, so nothing comes after it. " : `It looks ahead to turn ${turn + 2}. `}
        Its value is read before its {turnAnchor === "start" ? "first" : "last"} token.
      </p>
      <Formulas>
        <Formula
          name="delta"
          symbols={
            <>
              δ = r + <GammaTurn />
              ·V(next turn) − V(turn)
            </>
          }
          numbers={
            <>
              {written(reward)} + {discount(turnGamma)} · {written(nextValue)} − {written(value)} ={" "}
              <b>{signed(delta)}</b>
            </>
          }
        />
        <Formula
          name="advantage"
          symbols={
            <>
              A = δ + <GammaTurn />
              ·λ·A(next turn)
            </>
          }
          numbers={
            <>
              {signed(delta)} + {discount(turnGamma)} · {discount(turnLambda)} · {bracketed(nextAdvantage)} ={" "}
              <b>{signed(advantage)}</b>
            </>
          }
        />
      </Formulas>
    </div>
  );
}

function TokenFormulas({
  turns,
  turn,
  steps,
  params: { gamma, lambda },
}: {
  turns: readonly TurnStep[];
  turn: number;
  steps: readonly TokenStep[];
  params: AdvantageParams;
}) {
  const { start, end, value, advantage, turnReturn } = turns[turn]!;
  const own = steps.filter(({ index }) => index >= start && index <= end);
  const [first, last] = [own[0]!, own.at(-1)!];
  return (
    <div className="flex flex-col gap-1.5 rounded-lg bg-panel p-3" data-testid="token-formulas">
      <p className="text-dense">
        <span className="font-semibold">Level 2, the tokens of turn {turn + 1}.</span> The turn's return
        replaces the reward of its last token. From there masked GAE runs back to the turn's first token, with{" "}
        γ = {discount(gamma)} and λ = {discount(lambda)}; the wall stops anything from later turns.
      </p>
      <Formulas>
        <Formula
          name="return of the turn"
          symbols="return = A(turn) + V(turn)"
          numbers={
            <>
              {signed(advantage)} + {written(value)} = <b>{written(turnReturn)}</b>
            </>
          }
        />
        <Formula
          name="advantage of the last token"
          symbols="A(last token) = return − V(here)"
          numbers={
            <>
              {written(last.reward)} − {written(last.value)} = <b>{signed(last.advantage)}</b>
            </>
          }
        />
      </Formulas>
      <p className="nums text-caption text-muted">
        The first of its {own.length} tokens ends up with A = {signed(first.advantage)}.
      </p>
    </div>
  );
}
