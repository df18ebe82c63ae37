import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../core/wilson.ts";
import { applyEvent } from "../store/apply-event.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { SeriesTable } from "../store/series.ts";
import { axisFormat, xAxisFormat } from "./axis-format.ts";
import { CHARTS, chartsToShow, quietKeys } from "./catalog.ts";
import { metricsCsv } from "./csv.ts";
import {
  buildFigure,
  nearest,
  newestLabel,
  newestValue,
  smoothedBy,
  summarise,
  ticksOfX,
  updatesOfFigure,
} from "./figure.ts";
import { MARGIN, pixelOf, plotLeft, valueFormat, xAtPixel } from "./plot-area.ts";
import { MIN_INTERVAL_MS, PER_FRAME, REST, RedrawQueue } from "./redraw.ts";
import { niceScale, SteadyScale, ticksWithin } from "./scale.ts";

const run = (updates: number, values: (i: number) => Record<string, number>): RunView => {
  let view = emptyView();
  for (let update = 1; update <= updates; update++)
    view = applyEvent(view, {
      type: "metrics",
      stage: "ppo",
      update,
      values: values(update),
      tokens: 500 * update,
      episodes: 64 * update,
      wallMs: 60_000 * update,
    });
  return view;
};
const chart = (id: string) => CHARTS.find((c) => c.id === id)!;
const options = { x: "update", range: "run", smoothing: null, width: 400 } as const;

describe("figures", () => {
  it("never draw more than 300 points a line, however long the run (C1)", () => {
    const view = run(10_000, (i) => ({ "train/success/frozenlake": i === 777 ? 1 : 0.2 }));
    const { rows, lines } = buildFigure(view, chart("success"), options);
    expect(rows.length).toBeLessThanOrEqual(300);
    expect(rows.some((row) => (row["band:y0"] as number[] | undefined)?.[1] === 1)).toBe(true);
    expect(lines[0]?.raw.length).toBe(10_000);
  });
  it("find a metric with its environment behind it, and keep shares on a fixed axis", () => {
    const figure = buildFigure(
      run(5, () => ({ "train/success/sokoban": 0.4 })),
      chart("success"),
      options,
    );
    expect(figure.yDomain).toEqual([0, 1]);
    expect(figure.rows.at(-1)).toMatchObject({ x: 5, y0: 0.4, "raw:y0": 0.4 });
  });
  it("count steps in whole numbers, not in percent", () => {
    const skipped = run(5, () => ({ "training/skipped_in_a_row": 1 }));
    const key = "training/skipped_in_a_row";
    const spec = {
      id: key,
      title: key,
      group: "Other",
      lines: [{ key, label: key, color: "--run-1" }],
    } as const;
    const figure = buildFigure(skipped, spec, options);
    expect(figure).toMatchObject({ yDomain: [0, 3], yTicks: [0, 1, 2, 3], share: false });
  });
  it("end the axis of misses above the largest of them, and at 100 % at the latest", () => {
    const domain = (miss: number) =>
      buildFigure(
        run(5, () => ({ "surroundings_miss/hole": miss })),
        chart("surroundings_miss"),
        options,
      );
    expect(domain(0)).toMatchObject({ yDomain: [0, 0.06], share: true });
    expect(domain(0.12).yDomain).toEqual([0, 0.15]);
    expect(domain(1).yDomain).toEqual([0, 1]);
  });
  it("draw what was measured before the first update", () => {
    const key = "val-core/frozenlake/reward/mean@1";
    const report = { stage: "ppo", temperature: 1, episodes: 4, successes: 1, interval: [0, 1] } as const;
    const event = { type: "validation", report: { ...report, update: 0, metrics: { [key]: 1.04 } } } as const;
    const view = applyEvent(emptyView(), event);
    const spec = chartsToShow(view.series, "ppo").flatMap(({ charts }) => charts);
    for (const x of ["update", "turns", "tokens", "time"] as const) {
      const { rows, xTicks, yDomain } = buildFigure(view, spec[0]!, { ...options, x });
      expect(rows, x).toMatchObject([{ x: 0, y0: 1.04 }]);
      expect(xTicks[0], x).toBe(0);
      expect(yDomain[1], x).toBeGreaterThan(1.04);
    }
  });
  it("count no part of a stack that is not paid any more", () => {
    const paid = (i: number) => ({ "reward/task": 0.5, ...(i <= 30 && { "reward/format": 0.2 }) });
    const { lines } = buildFigure(run(64, paid), chart("return"), { ...options, smoothing: 0 });
    expect(lines).toHaveLength(2);
    expect(newestValue(lines, "stack")).toBeCloseTo(0.5, 6);
    expect(newestValue(lines)).toBeCloseTo(0.5, 6);
    expect(newestLabel(lines, "stack")).toBe("");
  });
  it("say of which of several lines the newest value is", () => {
    const miss = (...kinds: string[]) =>
      buildFigure(
        run(5, () => Object.fromEntries(kinds.map((kind) => [`surroundings_miss/${kind}`, 0.1]))),
        chart("surroundings_miss"),
        options,
      ).lines;
    expect(newestLabel(miss("wall", "hole"))).toBe("Hole");
    expect(newestLabel(miss("wall"))).toBe("");
    expect(newestLabel([])).toBe("");
  });
  it("have numbers at every update of a line or a validation, and only at its own", () => {
    const report = { stage: "ppo", temperature: 1, episodes: 4, successes: 1, interval: [0, 1] } as const;
    const logged = run(5, (i): Record<string, number> => (i > 2 ? { "train/success/frozenlake": 0.5 } : {}));
    const view = applyEvent(logged, { type: "validation", report: { ...report, update: 0, metrics: {} } });
    const figure = buildFigure(view, chart("success"), options);
    expect([...updatesOfFigure(figure)]).toEqual([0, 3, 4, 5]);
  });
  it("write greedy validations beside the sampled ones", () => {
    const report = { stage: "ppo", update: 3, episodes: 4, successes: 1, interval: [0, 1] } as const;
    const view = [1, 0].reduce(
      (before, temperature) =>
        applyEvent(before, {
          type: "validation",
          report: { ...report, temperature, metrics: { "val/success/frozenlake": 0.25 + temperature / 2 } },
        }),
      run(3, () => ({ "actor/entropy": 1 })),
    );
    const [head, , , last] = metricsCsv(view).trim().split("\n");
    expect(head).toMatch(/,actor\/entropy,val\/success\/frozenlake,greedy:val\/success\/frozenlake$/);
    expect(last).toMatch(/,1,0\.75,0\.25$/);
  });
  it("give the same smoothed values on every x-axis", () => {
    const view = run(200, (i) => ({ "actor/entropy": Math.sin(i) + 2 }));
    const [byUpdate, byTime] = (["update", "time"] as const).map(
      (x) => buildFigure(view, chart("actor/entropy"), { ...options, x }).lines[0]!.smoothed,
    );
    expect(byTime).toEqual(byUpdate);
  });
  it("count the turns that the policy has played as an axis", () => {
    let view = emptyView();
    for (const [update, mean] of [2.5, 3, undefined].entries())
      view = applyEvent(view, {
        type: "metrics",
        stage: "ppo",
        update: update + 1,
        values: { "actor/entropy": 1, ...(mean && { "num_turns/mean": mean }) },
        tokens: 1,
        // Totals since the run began: ten each.
        episodes: 10 * (update + 1),
        wallMs: 1,
      });
    const { rows } = buildFigure(view, chart("actor/entropy"), { ...options, x: "turns" });
    expect([...view.axes.turns.ys]).toEqual([25, 55, 55]);
    expect(rows.map((row) => row.x)).toEqual([25, 55]);
  });
  it("begin where the stage begins, so that a long SFT stage does not squeeze what follows", () => {
    let view = emptyView();
    for (const [stage, firstUpdate, lastUpdate] of [
      ["warmup", 1, 1000],
      ["ppo", 1001, 1080],
    ] as const)
      view = applyEvent(view, { type: "stage", stage, firstUpdate, lastUpdate });
    for (const update of [1, 500, 1000, 1001, 1040]) {
      const stage = update > 1000 ? "ppo" : "warmup";
      const values =
        stage === "ppo"
          ? { "actor/entropy": 1, "actor/grad_norm": 1 }
          : { "sft/loss": 1, "actor/grad_norm": 1 };
      const totals = { tokens: update, episodes: update, wallMs: update };
      view = applyEvent(view, { type: "metrics", stage, update, values, ...totals });
    }
    const domain = (id: string, range: "stage" | "run") =>
      buildFigure(view, chart(id), { ...options, range }).xDomain;
    expect(domain("actor/entropy", "stage")).toEqual([1000, 1040]);
    expect(domain("actor/entropy", "run")).toEqual([1000, 1040]);
    expect(domain("actor/grad_norm", "stage")).toEqual([1000, 1040]);
    expect(domain("actor/grad_norm", "run")).toEqual([0, 1040]);
    const rows = buildFigure(view, chart("actor/grad_norm"), { ...options, range: "stage" }).rows;
    expect(rows.map((row) => row.x)).toEqual([1001, 1040]);
    expect(domain("imitation", "stage")).toEqual([0, 1000]);
  });
  it("mark values that are not finite and leave a gap", () => {
    const view = run(20, (i) => ({ "actor/ppo_kl": i === 9 ? Number.NaN : 1e-3 }));
    const figure = buildFigure(view, chart("actor/ppo_kl"), options);
    expect(figure.broken).toEqual([9]);
    expect(figure.rows.find((row) => row.x === 9)?.y0).toBeNull();
  });
  it("do not smooth over the border of two stages", () => {
    let view = run(20, (i) => ({ "perf/throughput": i <= 10 ? 100 : 1 }));
    view = applyEvent(view, { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 10 });
    view = applyEvent(view, { type: "stage", stage: "ppo", firstUpdate: 11, lastUpdate: 20 });
    const { smoothed } = buildFigure(view, chart("perf/throughput"), options).lines[0]!;
    expect([smoothed[9], smoothed[10], smoothed[19]]).toEqual([100, 1, 1]);
  });
  it("say where a line leaves a fixed axis", () => {
    const view = run(4, (i) => ({ "critic/vf_explained_var": i === 2 ? -134 : 0.1 }));
    const figure = buildFigure(view, chart("critic/vf_explained_var"), { ...options, smoothing: 0 });
    expect(figure.yDomain).toEqual([-1, 1]);
    expect(figure.beyond).toEqual([{ x: 2, side: "below", color: "--run-1" }]);
  });
  it("draw validations as points with the distances to their interval's ends", () => {
    const [low, high] = wilsonInterval(160, 256);
    const view = applyEvent(
      run(3, () => ({})),
      {
        type: "validation",
        report: {
          update: 3,
          stage: "ppo",
          episodes: 256,
          successes: 160,
          interval: [low, high],
          temperature: 1,
          metrics: {},
        },
      },
    );
    const [point] = buildFigure(view, chart("success"), options).points;
    expect(point).toMatchObject({ x: 3, y: 0.625, n: 256 });
    expect(point!.y - point!.error[0]).toBeCloseTo(low);
    expect(point!.y + point!.error[1]).toBeCloseTo(high);
  });
  it("draw a few dozen validations of a long run, from the first to the newest, and report all", () => {
    const report = { stage: "ppo", episodes: 4, successes: 1, interval: [0, 1], metrics: {} } as const;
    let view = run(1000, () => ({}));
    for (let update = 2; update <= 1000; update += 2)
      for (const temperature of [1, 0])
        view = applyEvent(view, { type: "validation", report: { ...report, update, temperature } });
    const figure = buildFigure(view, chart("success"), options);
    const drawn = figure.points.filter(({ greedy }) => greedy).map(({ update }) => update);
    expect(drawn.length).toBeLessThanOrEqual(41);
    expect(figure.points).toHaveLength(2 * drawn.length);
    expect([drawn[0], drawn.at(-1)]).toEqual([2, 1000]);
    expect(figure.validations()).toHaveLength(1000);
    expect(updatesOfFigure(figure)).toHaveLength(500);
  });
  it("copy no numbers of the run", () => {
    const view = run(600, (i) => ({ "actor/entropy": i }));
    const [line] = buildFigure(view, chart("actor/entropy"), options).lines;
    expect(line!.raw.buffer).toBe(view.series.get("actor/entropy")!.ys.buffer);
    expect(line!.updates.buffer).toBe(view.series.get("actor/entropy")!.xs.buffer);
    // An older figure, which a tooltip may still read, stays as it was.
    applyEvent(view, {
      ...{ type: "metrics", stage: "ppo", update: 601, values: { "actor/entropy": 601 } },
      ...{ tokens: 0, episodes: 0, wallMs: 0 },
    });
    expect([line!.raw.length, line!.smoothed.length]).toEqual([600, 600]);
  });
  it("show how many observations SpatialGym takes as counts, and other measures as shares", () => {
    const view = run(3, () => ({
      "train/measured/observations": 5,
      "train/measured/rooms/observations": 7,
      "train/measured/color": 0.4,
    }));
    const charts = chartsToShow(view.series, "ppo", 0, ["spatial-gym"]).flatMap(({ charts }) => charts);
    const shown = charts.map((one) => [one.title, buildFigure(view, one, options).share]);
    expect(shown).toEqual([
      ["Observations", false],
      ["Observations: rooms", false],
      ["Measured at the end: colour", true],
    ]);
    expect(buildFigure(view, charts[1]!, options).yDomain[1]).toBeGreaterThanOrEqual(7);
  });
  it("draw what else validations measured as points without an interval", () => {
    const report = { update: 3, stage: "ppo", episodes: 256, successes: 1, interval: [0, 1] } as const;
    const metrics = { "val/grounding_accuracy": 0.97, "val/format_correct": 0.99 };
    const view = applyEvent(
      run(3, () => ({ "train/format_correct": 0.5 })),
      { type: "validation", report: { ...report, temperature: 0, metrics } },
    );
    const pointsOf = (id: string) => buildFigure(view, chart(id), options).points;
    expect(pointsOf("grounding_accuracy")).toMatchObject([
      { x: 3, y: 0.97, error: [0, 0], successes: null, greedy: true },
    ]);
    expect(pointsOf("form")).toMatchObject([{ y: 0.99 }]);
    expect(pointsOf("worldmodeling_accuracy")).toEqual([]);
    expect(pointsOf("actor/entropy")).toEqual([]);
  });
  it("draw the validations of each line in its colour", () => {
    const report = { update: 3, stage: "ppo", episodes: 256, successes: 1, interval: [0, 1] } as const;
    const metrics = { "val/surroundings_miss/wall": 0.1, "val/surroundings_miss/stuck_box": 0.4 };
    const view = applyEvent(
      run(3, () => ({ "surroundings_miss/wall": 0.2 })),
      { type: "validation", report: { ...report, temperature: 1, metrics } },
    );
    const { points, lines } = buildFigure(view, chart("surroundings_miss"), options);
    expect(points).toMatchObject([
      { label: "Stuck box", y: 0.4, color: "--run-6" },
      { label: "Wall", y: 0.1, color: lines[0]!.color },
    ]);
  });
  it("sum up a chart in a sentence", () => {
    const view = run(50, (i) => ({ "train/success/frozenlake": i / 100 }));
    const { lines } = buildFigure(view, chart("success"), options);
    expect(summarise("Success rate", lines[0], (v) => v.toFixed(2))).toMatch(
      /^Success rate: last 0\.\d+ \(EMA 0\.6\), rising/,
    );
    expect(summarise("Success rate", undefined, String)).toBe("Success rate: no values yet.");
  });
  it("say of a line that it is smoothed, where it is", () => {
    const lineOf = (updates: number, smoothing: number | null) =>
      buildFigure(
        run(updates, (i) => ({ "train/success/frozenlake": i / 100 })),
        chart("success"),
        { ...options, smoothing },
      ).lines[0];
    expect(smoothedBy(lineOf(10, null))).toBe("EMA 0.6");
    expect(smoothedBy(lineOf(10, 0))).toBe("");
    // Too short to be smoothed.
    expect(smoothedBy(lineOf(3, null))).toBe("");
    expect(smoothedBy(undefined)).toBe("");
  });
  it("find the point nearest to the cursor", () => {
    expect([nearest(Float64Array.of(1, 5, 9), 6), nearest(new Float64Array(), 3)]).toEqual([1, -1]);
  });
});

describe("the list of charts", () => {
  it("hides what was not logged, and gives an unknown metric a chart of its own", () => {
    const view = run(2, () => ({ "actor/entropy": 1, "my/new_metric": 2, "train/score/x": 3 }));
    const sections = chartsToShow(view.series, "ppo");
    expect(sections.map((s) => s.group)).toEqual(["Overview", "Other"]);
    // The score of the one task is the episode score, which has its chart.
    expect(sections[1]?.charts.map(({ title }) => title)).toEqual(["my/new_metric"]);
  });
  it("draws every part that an episode was paid, those of extensions too, in the return", () => {
    const table = new SeriesTable();
    for (const [key, value] of Object.entries({ task: 1, format: 0.02, action_cost: -0.1, shorter: 0.3 }))
      table.set(`reward/${key}`, 1, value);
    const charts = chartsToShow(table, "ppo").flatMap((section) => section.charts);
    expect(charts.map(({ id }) => id)).toEqual(["return"]);
    expect(charts[0]!.lines.map(({ label }) => label)).toEqual(["Task", "Format", "Action cost", "shorter"]);
    expect(new Set(charts[0]!.lines.map(({ color }) => color)).size).toBe(4);
  });
  it("leaves out what can be nothing else, until it is something else", () => {
    const table = new SeriesTable();
    const key = "version_stats/sample_staleness_theta_max";
    table.set("actor/entropy", 1, 0.5);
    table.set(key, 1, 1);
    table.set("critic/advantages/mean", 1, 3e-8);
    const shown = () => chartsToShow(table, "ppo").flatMap(({ charts }) => charts.map(({ id }) => id));
    expect(shown()).toEqual(["actor/entropy"]);
    expect(quietKeys(table)).toHaveLength(2);
    table.set(key, 2, 3);
    expect(shown()).toEqual(["actor/entropy", key]);
  });
  it("shows SFT's charts first while it lasts", () => {
    const view = run(2, () => ({ "actor/entropy": 1, "sft/loss": 2 }));
    expect(chartsToShow(view.series, "warmup")[0]?.group).toBe("SFT");
    expect(chartsToShow(view.series, "ppo")[0]?.group).toBe("Overview");
  });
});

describe("axes", () => {
  it("end on round numbers around the data", () => {
    expect(niceScale([0.013, 0.087], { fromZero: true })).toEqual({
      yDomain: [0, 0.1],
      yTicks: [0, 0.025, 0.05, 0.075, 0.1],
    });
    expect(niceScale([3, 3]).yDomain[0]).toBeLessThan(3);
    expect(niceScale([2e-4, 3e-2], { log: true }).yTicks).toEqual([1e-4, 1e-3, 1e-2, 1e-1]);
    expect(niceScale([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]).yDomain).toEqual([0, 1]);
  });
  it("grow at once and shrink late", () => {
    const steady = new SteadyScale();
    const [small, large] = [niceScale([0.1, 0.9]), niceScale([0.1, 1.9])];
    expect(steady.next(small, 0)).toEqual(small);
    expect(steady.next(large, 10)).toEqual(large);
    // The ticks stay with their axis.
    expect(steady.next(small, 20)).toEqual(large);
    expect(steady.next(small, 4000)).toEqual(large);
    expect(steady.next(small, 5100)).toEqual(small);
    // What is drawn on it is always the newest.
    expect(steady.next({ ...small, points: [1] }, 5200)).toEqual({ ...small, points: [1] });
    expect(steady.next({ ...small, points: [1, 2] }, 5300)).toEqual({ ...small, points: [1, 2] });
  });
  it("have whole ticks for what comes in ones", () => {
    expect(ticksWithin([0, 10], 5, true)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticksWithin([0, 12], 5, true)).toEqual([0, 5, 10]);
    expect(ticksWithin([3, 5], 5, true)).toEqual([3, 4, 5]);
    expect(ticksWithin([0, 12], 5)).toEqual([0, 2.5, 5, 7.5, 10]);
  });
  it("write shares exactly, in percent", () => {
    const written = (top: number) => {
      const { yTicks } = niceScale([0, top], { fromZero: true });
      return yTicks.map(valueFormat({ yTicks, share: true, log: false }));
    };
    expect(written(0.09)).toEqual(["0.0 %", "2.5 %", "5.0 %", "7.5 %", "10.0 %"]);
    expect(written(0.7)).toEqual(["0 %", "20 %", "40 %", "60 %", "80 %"]);
  });
  it("leave room for their longest label", () => {
    const view = run(3, () => ({ "actor/pg_loss": -9.98e-4 }));
    const figure = buildFigure(view, chart("actor/pg_loss"), options);
    const labels = figure.yTicks.map(valueFormat(figure));
    expect(Math.max(...labels.map(({ length }) => length))).toBe("−0.00110".length);
    expect(plotLeft(figure)).toBeGreaterThan(MARGIN.left + 7);
    // What is drawn over the plot begins where the plot does.
    expect(pixelOf(figure, 400, 0)).toBe(plotLeft(figure));
    expect(xAtPixel(figure, 400, pixelOf(figure, 400, 2))).toBeCloseTo(2);
    const short = buildFigure(
      run(3, () => ({ "train/success/x": 0.5 })),
      chart("success"),
      options,
    );
    expect(plotLeft(short)).toBe(MARGIN.left);
  });
  it("write every tick once, in one notation", () => {
    const written = (ticks: readonly number[], log = false) => ticks.map(axisFormat(ticks, log));
    expect(written(niceScale([1e-4, 9e-4], { log: true }).yTicks, true)).toEqual([
      "1e−4",
      "2e−4",
      "5e−4",
      "1e−3",
    ]);
    expect(written(niceScale([0.02, 30], { log: true }).yTicks, true)).toEqual([
      "0.01",
      "0.1",
      "1",
      "10",
      "100",
    ]);
    expect(written([0, 0.0025, 0.005, 0.0075, 0.01])).toEqual([
      "0.0000",
      "0.0025",
      "0.0050",
      "0.0075",
      "0.0100",
    ]);
    expect(written([0, 2e-7, 4e-7])).toEqual(["0", "2e−7", "4e−7"]);
    expect([100, 100.5, 101].map(xAxisFormat("time", [100, 100.5, 101]))).toEqual([
      "100.0 min",
      "100.5 min",
      "101.0 min",
    ]);
    const times = (to: number) => {
      const ticks = ticksOfX([0, to], "time");
      return ticks.map(xAxisFormat("time", ticks));
    };
    expect(times(1.4)).toEqual(["0 s", "20 s", "40 s", "60 s", "80 s"]);
    expect(times(0.05)).toEqual(["0 s", "1 s", "2 s", "3 s"]);
    expect(times(5)).toEqual(["0 min", "1 min", "2 min", "3 min", "4 min", "5 min"]);
    const tokens = [1_000_000, 1_001_000, 1_002_000];
    expect(tokens.map(xAxisFormat("tokens", tokens))).toEqual(["1.000 M", "1.001 M", "1.002 M"]);
    expect([0, 500, 1000, 1500].map(xAxisFormat("turns", [0, 500, 1000, 1500]))).toEqual([
      "0",
      "0.5 k",
      "1.0 k",
      "1.5 k",
    ]);
    for (let size = -9; size < 9; size += 0.1)
      for (const range of [
        [0, 10 ** size],
        [10 ** size, 1.02 * 10 ** size],
        [-(10 ** size), 3 * 10 ** size],
      ] as const) {
        const { yTicks } = niceScale(range);
        expect(new Set(written(yTicks)).size, `${range}: ${written(yTicks)}`).toBe(yTicks.length);
      }
  });
});

describe("redraws", () => {
  /** A page whose frames and waits are counted and made by hand, and on which a frame's charts take `ms`. */
  function pageOf(ms = 0) {
    const frames: ((now: number) => void)[] = [];
    let waiting: { work: () => void; ms: number } | null = null;
    const queue = new RedrawQueue({
      requestFrame: (work) => void frames.push(work),
      wait(work, ms) {
        waiting = { work, ms };
        return () => {
          waiting = null;
        };
      },
      timed(draw) {
        draw();
        return ms;
      },
    });
    /** The next frame, and the one before it that ends a wait. */
    const tick = (now: number) => {
      waiting?.work();
      waiting = null;
      frames.shift()?.(now);
    };
    return { queue, frames, tick, waits: () => waiting?.ms ?? null };
  }

  it("are dealt out: two charts a frame, each twice a second, only those on screen", () => {
    const { queue, tick, frames, waits } = pageOf();
    const drawn: string[] = [];
    const charts = ["a", "b", "c", "d"].map((name) => queue.join(() => drawn.push(name)));
    for (const c of charts.slice(0, 3)) c.setVisible(true);
    tick(1000);
    drawn.length = 0;
    queue.invalidate();
    tick(1032);
    expect(drawn).toEqual([]);
    // No frame is asked for before one of them is due.
    expect([frames.length, waits()]).toEqual([0, MIN_INTERVAL_MS - 32]);
    tick(1000 + MIN_INTERVAL_MS);
    expect(drawn).toHaveLength(PER_FRAME);
    tick(1000 + MIN_INTERVAL_MS + 16);
    expect(drawn).toEqual(["a", "b", "c"]);
  });

  it("leave four fifths of the page's time to others where they take long", () => {
    const { queue, tick, waits } = pageOf(100);
    let drawn = 0;
    for (let i = 0; i < 3; i++) queue.join(() => drawn++).setVisible(true);
    tick(100);
    drawn = 0;
    queue.invalidate();
    tick(1000);
    // The wait begins when they are drawn.
    expect([drawn, waits()]).toEqual([PER_FRAME, 100 * REST]);
    queue.invalidate();
    tick(1000 + 100 * REST);
    expect(drawn).toBe(PER_FRAME);
    tick(1000 + 100 * (1 + REST));
    expect(drawn).toBe(2 * PER_FRAME);
  });

  it("come with the next frame to every chart that comes on screen with an old drawing, whatever rest the others take", () => {
    const { queue, tick } = pageOf(100);
    const drawn: string[] = [];
    const charts = ["a", "b", "c", "d"].map((name) => queue.join(() => drawn.push(name)));
    charts[0]!.setVisible(true);
    tick(1000);
    queue.invalidate();
    for (const below of charts.slice(1)) below.setVisible(true);
    tick(1016);
    expect(drawn).toEqual(["a", "b", "c", "d"]);
    // Back on screen after less than half a second, a chart shows numbers that are new enough.
    charts[1]!.setVisible(false);
    queue.invalidate();
    charts[1]!.setVisible(true);
    tick(1032);
    expect(drawn).toHaveLength(4);
    tick(1016 + MIN_INTERVAL_MS);
    expect(drawn.slice(4)).toEqual(["b"]);
  });

  it("come once to a chart that has joined, and not before it is on screen", () => {
    const { queue, frames, waits } = pageOf();
    let drawn = 0;
    const seat = queue.join(() => drawn++);
    expect(frames).toHaveLength(0);
    seat.setVisible(true);
    frames.shift()!(1000);
    expect([drawn, frames.length, waits()]).toEqual([1, 0, null]);
  });
});
