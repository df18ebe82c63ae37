// Panel: the same episode under other discounts and estimators, computed in the page, beside what the run used.
import { useId, useMemo, useState } from "react";
import { biLevelGae } from "../../rl/advantage/bi-level-gae.ts";
import type { AdvantageEstimator, AdvantageParams } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { maskedGae } from "../../rl/advantage/masked-gae.ts";
import { turnWiseGae } from "../../rl/advantage/turn-wise-gae.ts";
import { Segmented } from "../components/controls.tsx";
import { type MethodEpisode, paramsOf } from "./episode-tokens.ts";
import { Bars, Frame, Line, ticksOf } from "./graph.tsx";
import { differenceOf, isRounding, whyMaskedIsBiLevel, whyMaskedIsNotBiLevel } from "./identical.ts";
import { partFill, quoted, turnNumber } from "./looks.ts";
import { discount, signed, withSymbols, written } from "./numbers.tsx";
import { Panel } from "./panel.tsx";
import { fitRecorded } from "./recorded.ts";
import { extentWithZero, linear } from "./scale.ts";
import { AxisPicture, keepArrows, Lane } from "./token-axis.tsx";
import { HEADS, TurnHeads } from "./turn-heads.tsx";

/** The estimators with a critic that read values of the policy's own tokens only, which are those that a record has. */
const CHOICES: readonly AdvantageEstimator[] = [maskedGae, biLevelGae, turnWiseGae];

const STRIP = { top: HEADS + 2, height: 14 };
const PLOT = { top: STRIP.top + 26, bottom: STRIP.top + 146 };
const APART = { top: PLOT.bottom + 24, bottom: PLOT.bottom + 76 };
const HEIGHT = APART.bottom + 8;

export function WhatIfPanel({ episode, number }: { episode: MethodEpisode; number: number }) {
  const { algorithm } = episode.replay.config;
  const used = paramsOf(episode.replay.config);
  const start = { gamma: used.gamma, lambda: used.lambda, turnGamma: used.turnGamma };
  const [id, setId] = useState(initialChoice(algorithm.adv_estimator));
  const [params, setParams] = useState<AdvantageParams>(start);
  const estimator = CHOICES.find((one) => one.id === id)!;
  const isOwn = id === algorithm.adv_estimator && SLIDERS.every(({ key }) => params[key] === start[key]);
  return (
    <Panel
      number={number}
      title="What if"
      lead="The same rewards and values under other settings. The page computes the advantages again at every change, before whitening; nothing is trained. The dashed line shows the run's own settings."
      students="λ and γ decide how far a surprise travels back; γ turn decides what it loses at each turn boundary. Move one at a time and watch the lower lane, which shows where Bi-Level and masked GAE disagree."
      terms={["advantage", "turnGamma", "whitening"]}
    >
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          name="Estimator"
          value={id}
          choices={CHOICES.map((one) => ({ value: one.id, label: one.title }))}
          onChange={setId}
        />
        <button
          type="button"
          className="btn btn-small"
          onClick={() => {
            setParams(start);
            setId(initialChoice(algorithm.adv_estimator));
          }}
        >
          This run's settings
        </button>
        <button
          type="button"
          className="btn btn-small"
          onClick={() => setParams({ gamma: 1, lambda: 1, turnGamma: 1 })}
        >
          All 1
        </button>
      </div>
      <Sliders params={params} estimator={estimator} onChange={setParams} />
      <WhatIfPicture episode={episode} estimator={estimator} params={params} />
      <IdenticalSentence episode={episode} params={params} />
      <GhostSentence episode={episode} isShown={isOwn} />
    </Panel>
  );
}

/** The run's estimator where the panel offers it, else masked GAE. */
const initialChoice = (id: string): string => (CHOICES.some((one) => one.id === id) ? id : maskedGae.id);

const SLIDERS = [
  { key: "gamma", name: "γ", least: 0.8, reads: (one: AdvantageEstimator) => one.usesGamma !== false },
  { key: "lambda", name: "λ", least: 0.8, reads: (one: AdvantageEstimator) => one.usesLambda !== false },
  { key: "turnGamma", name: "γ turn", least: 0.5, reads: (one: AdvantageEstimator) => one.usesTurnGamma },
] as const;

function Sliders({
  params,
  estimator,
  onChange,
}: {
  params: AdvantageParams;
  estimator: AdvantageEstimator;
  onChange: (params: AdvantageParams) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-x-6 gap-y-2 sm:grid-cols-3">
      {SLIDERS.map(({ key, name, least, reads }) => (
        <label key={key} htmlFor={`${id}-${key}`} className="flex min-w-0 items-center gap-2 text-dense">
          <span className="w-12 flex-none font-semibold whitespace-nowrap">{withSymbols(name)}</span>
          <input
            id={`${id}-${key}`}
            type="range"
            className="range min-w-0 flex-1"
            min={least}
            max={1}
            step={0.01}
            value={params[key]}
            onKeyDown={keepArrows}
            aria-valuetext={`${discount(params[key])}${reads(estimator) ? "" : `, not used by ${estimator.title}`}`}
            onChange={(event) => onChange({ ...params, [key]: Number(event.target.value) })}
          />
          <output className="nums w-16 flex-none whitespace-nowrap">
            {reads(estimator) ? discount(params[key]) : <span className="text-muted">not used</span>}
          </output>
        </label>
      ))}
    </div>
  );
}

/** The settings of the panel on top of what else the run's estimator reads. */
const withRun = (episode: MethodEpisode, params: AdvantageParams): AdvantageParams => {
  const { algorithm } = episode.replay.config;
  const turnAnchor = algorithm.turn_value_anchor;
  return algorithm.use_high_level_lam
    ? { ...params, turnAnchor, turnLambda: algorithm.high_level_lam }
    : { ...params, turnAnchor };
};

/**
 * What the run's own estimator says on the page, under the run's settings; null for one that compares episodes, with those of
 * the batch or with a greedy one, and for an extension's, whose code the page does not run.
 */
export function runAdvantages({ replay, tokens }: MethodEpisode): Float64Array | null {
  const estimator = estimators.all.find(({ id }) => id === replay.config.algorithm.adv_estimator);
  if (!estimator || estimators.added.includes(estimator)) return null;
  if (estimator.comparesGroups || estimator.usesBaselines || estimator.usesEveryToken) return null;
  return estimator.estimate(tokens, paramsOf(replay.config)).advantages;
}

function WhatIfPicture({
  episode,
  estimator,
  params,
}: {
  episode: MethodEpisode;
  estimator: AdvantageEstimator;
  params: AdvantageParams;
}) {
  const ghost = useMemo(() => runAdvantages(episode), [episode]);
  const settings = withRun(episode, params);
  const { advantages } = estimator.estimate(episode.tokens, settings);
  const apart = differenceOf(maskedGae, biLevelGae, episode.tokens, settings);
  const extent = extentWithZero(advantages, ghost ?? []);
  // A scale of its own: the difference is often a tenth of the advantages. Rounding is drawn as nothing.
  const shown = isRounding(apart, episode.tokens) ? new Float64Array(episode.count) : apart.perToken;
  const apartExtent = extentWithZero(shown);
  const [plot, lane] = [linear(extent, PLOT.top, PLOT.bottom), linear(apartExtent, APART.top, APART.bottom)];
  const isKept = (i: number) => episode.tokens.gaeMask[i] === 1;
  return (
    <AxisPicture
      name={`Advantages by ${estimator.title}, γ ${discount(params.gamma)}, λ ${discount(params.lambda)}, γ turn ${discount(params.turnGamma)}, with the run's own as a dashed line.`}
      count={episode.count}
      height={HEIGHT}
      labels={[
        { name: "tokens", at: STRIP.top + STRIP.height / 2 },
        { name: "advantage A", at: (PLOT.top + PLOT.bottom) / 2 },
        { name: "Bi-Level minus masked", at: (APART.top + APART.bottom) / 2 },
        ...ticksOf(plot, extent),
        ...ticksOf(lane, apartExtent),
      ]}
    >
      {(axis) => (
        <>
          <Lane axis={axis} top={STRIP.top} height={STRIP.height} fillOf={partFill(episode)} />
          <TurnHeads episode={episode} axis={axis} height={HEIGHT} />
          <Frame axis={axis} scale={plot} extent={extent} />
          <Line axis={axis} scale={plot} values={advantages} isDrawn={isKept} color="var(--accent)" />
          {ghost && (
            <Line axis={axis} scale={plot} values={ghost} isDrawn={isKept} color="var(--text)" dashed />
          )}
          <Frame axis={axis} scale={lane} extent={apartExtent} />
          <Bars axis={axis} scale={lane} positions={episode.kept} values={shown} solid />
        </>
      )}
    </AxisPicture>
  );
}

/** Whether masked and Bi-Level GAE agree under these settings, by how much, where and why. */
export function identicalText(episode: MethodEpisode, params: AdvantageParams): string {
  const { tokens } = episode;
  const settings = withRun(episode, params);
  const difference = differenceOf(maskedGae, biLevelGae, tokens, settings);
  if (isRounding(difference, tokens))
    return `With these settings masked GAE and Bi-Level GAE are identical on this episode, to within rounding. ${whyMaskedIsBiLevel(tokens, settings)}`;
  const { at, largest } = difference;
  return `With these settings masked GAE and Bi-Level GAE differ by up to ${written(largest)}, most at token ${at! + 1} (${quoted(episode, at!)}, turn ${turnNumber(episode, at!)}). ${whyMaskedIsNotBiLevel(settings)}`;
}

/** Where turn-wise GAE agrees with the first level of Bi-Level GAE. */
export function turnWiseText({ tokens }: MethodEpisode, params: AdvantageParams): string {
  const [bi, turn] = [biLevelGae, turnWiseGae].map((one) => one.estimate(tokens, params).advantages);
  const apart = (isCounted: (i: number) => boolean) =>
    Array.from(bi!, (x, i) => (tokens.gaeMask[i] && isCounted(i) ? Math.abs(x - turn![i]!) : 0)).reduce(
      (most, x) => Math.max(most, x),
      0,
    );
  const [ends, all] = [apart((i) => tokens.turnEndMask[i] === 1), apart(() => true)];
  const everywhere = isRounding({ largest: all }, tokens);
  if (everywhere)
    return "Turn-wise GAE is identical to Bi-Level GAE here, too: within a turn, nothing varies.";
  if (isRounding({ largest: ends }, tokens))
    return `Turn-wise GAE agrees with Bi-Level GAE at the last token of every turn and spreads that number over the turn; on the other tokens they differ by up to ${written(all)}.`;
  return `Turn-wise GAE gives all tokens of a turn the same number; it differs from Bi-Level GAE by up to ${written(all)}.`;
}

function IdenticalSentence({ episode, params }: { episode: MethodEpisode; params: AdvantageParams }) {
  return (
    <div
      className="flex flex-col gap-1 rounded-lg bg-panel p-3 text-body"
      role="status"
      data-testid="identical"
    >
      <p className="font-semibold">{identicalText(episode, params)}</p>
      <p className="text-dense">{turnWiseText(episode, withRun(episode, params))}</p>
    </div>
  );
}

/** Files keep five digits of rewards, values and advantages; a larger share of the largest advantage is no rounding. */
const MATCH = 1e-2;

/** How the dashed line relates to what was recorded. */
export function ghostText(episode: MethodEpisode): string {
  const computed = runAdvantages(episode);
  if (!computed)
    return "The run's own estimator compares several episodes or is an extension's, so this episode has no dashed line.";
  const { advantages } = episode.replay.trajectory.tokens;
  const fit = fitRecorded(advantages, computed, episode.kept);
  if (!fit)
    return "The dashed line is computed with the run's settings; the recording itself has no advantages.";
  if (fit.error > MATCH * Math.max(...computed.map(Math.abs)))
    return `The dashed line is computed with the run's settings. The recorded advantages differ from it by up to ${written(fit.error)}.`;
  const undone =
    fit.deviation === 1 && fit.mean === 0
      ? ""
      : ` once whitening is undone (mean ${signed(fit.mean)}, deviation ${written(fit.deviation)})`;
  return `The dashed line is computed with the run's settings. It matches the recorded advantages${undone}, to within ${formatError(fit.error)}.`;
}

/** An upper bound with one digit, as a decimal number. */
function formatError(error: number): string {
  if (error === 0) return "nothing";
  const exponent = Math.floor(Math.log10(error));
  return `10${superscript(exponent + 1)}`;
}

const superscript = (exponent: number): string =>
  [...String(exponent)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("");

/** @param isShown whether the solid line shows the run's own settings, too. */
function GhostSentence({ episode, isShown }: { episode: MethodEpisode; isShown: boolean }) {
  const text = useMemo(() => ghostText(episode), [episode]);
  return (
    <p className="text-caption text-muted">
      {text}
      {isShown &&
        " These are the run's own settings, so both lines are the same now: move a slider to separate them."}
    </p>
  );
}
