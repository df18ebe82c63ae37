// What the page derives from a stored run, as far as that needs no DOM.
import type { Trajectory } from "../core/types.ts";
import type { StoredTrajectoryEvent } from "../training/events.ts";
import { chartsToShow } from "../ui/charts/catalog.ts";
import { COMPARED_LOOKS } from "../ui/charts/compared.ts";
import { chartCsv, metricsCsv } from "../ui/charts/csv.ts";
import { buildFigure, summarise, updatesOfFigure } from "../ui/charts/figure.ts";
import { columnsOf } from "../ui/charts/numbers.ts";
import { ghostsOf } from "../ui/episode/beliefs.ts";
import { countRight, outcomeOfStored, returnOf, toolCalls, traceAddress } from "../ui/episode/outcome.ts";
import { replayEpisode } from "../ui/episode/replay-frames.ts";
import { turnTokens } from "../ui/episode/token-model.ts";
import { applyEvent } from "../ui/store/apply-event.ts";
import { etaOfStage, pace, stageProgress } from "../ui/store/progress.ts";
import { emptyView, type RunView, type StoredTrajectory } from "../ui/store/run-view.ts";
import { HEAT_MAPS } from "../ui/store/view-options.ts";
import { binClasses, unavailable } from "../ui/trace/heat-map.ts";
import { boundPlace } from "../ui/trace/place.ts";
import { neighbourToken, tokenFacts } from "../ui/trace/token-facts.ts";
import { vocabularyOf } from "../ui/trace/vocabulary.ts";
import { whiteningText } from "../ui/trace/whitening.ts";
import type { StoredRun } from "../worker/protocol.ts";
import { promise } from "./fuzz.ts";

/** Shows a stored run. @throws Error for whatever is thrown: the page has nowhere to say that it refuses. */
export function showRun(run: StoredRun, traces: readonly StoredTrajectoryEvent[]): void {
  try {
    const opened = { type: "stored_run_opened", ...run, resuming: false } as const;
    const restored = { type: "trajectories_restored", runId: run.runId, events: traces } as const;
    const view = applyEvent(applyEvent(emptyView(), opened), restored);
    showCharts(view);
    for (const stored of view.trajectories) showTrace(view, stored);
  } catch (cause) {
    const { stack } = cause as Error;
    throw new Error(`the page fails: ${stack}`, { cause });
  }
}

function showCharts(view: RunView): void {
  for (const { charts } of chartsToShow(view.series, view.stage))
    for (const [i, chart] of charts.entries()) {
      const x = (["update", "turns", "tokens", "time"] as const)[i % 4]!;
      // Beside itself: whatever its log holds, it can be compared with.
      const compared = [{ ...COMPARED_LOOKS[0], label: "B", view }];
      const figure = buildFigure(view, chart, { x, range: "run", smoothing: null, width: 300, compared });
      updatesOfFigure(figure);
      summarise(chart.title, figure.lines[0], String);
      chartCsv(columnsOf(figure));
    }
  metricsCsv(view);
  etaOfStage(view);
  stageProgress(view);
  pace(view.costs);
}

function showTrace({ config }: RunView, stored: StoredTrajectory): void {
  const { trajectory, source } = stored;
  outcomeOfStored(stored, config);
  returnOf(trajectory);
  toolCalls(trajectory);
  traceAddress(stored);
  for (const claim of ["observation", "prediction"] as const) {
    countRight(trajectory, claim);
    const game = { envId: trajectory.envId, envConfig: config?.env.config };
    for (const turn of trajectory.turns) ghostsOf(turn, claim, game);
  }
  for (const { observation } of trajectory.turns)
    for (const { data, width, height } of observation.images)
      promise(width > 0 && height > 0 && data.length === 4 * width * height, "a canvas can draw a picture");
  if (!config) return;
  whiteningText(config);
  replayEpisode(trajectory, config.env.config, 4);
  for (const map of HEAT_MAPS) {
    unavailable(trajectory.tokens, map, source);
    binClasses(trajectory.tokens, map);
  }
  turnTokens(trajectory, vocabularyOf(config));
  showTokens(trajectory, source);
}

function showTokens(trajectory: Trajectory, source: StoredTrajectory["source"]): void {
  const { turns, tokens } = trajectory;
  const { turn } = boundPlace({ turn: 99, token: 3 }, trajectory);
  promise(turns.length === 0 || turns[turn] !== undefined, "a place is a turn of the episode");
  neighbourToken(trajectory, null, 1);
  for (const index of [0, Math.floor(tokens.ids.length / 2), tokens.ids.length - 1]) {
    if (index < 0 || index >= tokens.ids.length) continue;
    neighbourToken(trajectory, index, -1);
    const shown = JSON.stringify(tokenFacts(trajectory, index, source));
    promise(!/undefined|NaN/.test(shown), `a token's facts have no undefined or NaN: ${shown}`);
  }
}
