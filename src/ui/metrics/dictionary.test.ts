import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import { alarms } from "../../rl/alarms/index.ts";
import { episodeMetrics } from "../../rl/metrics.ts";
import { rewardTerms } from "../../rl/reward/index.ts";
import { sampleMetrics, turnCounts } from "../../rl/samples-per-level.ts";
import { CHARTS } from "../charts/catalog.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { findMetric, METRICS } from "./dictionary.ts";
import { metricsMarkdown } from "./markdown.ts";
import { rewardTitle } from "./reward-title.ts";

await Promise.all(envs.ids.map(loadEnv));

const docs = join(import.meta.dirname, "../../../docs/metrics.md");

describe("the metric dictionary", () => {
  it("names each metric once and explains it", () => {
    expect(new Set(METRICS.map((metric) => metric.key)).size).toBe(METRICS.length);
    for (const { key, definition, healthy, wrong } of METRICS)
      for (const text of [definition, healthy, wrong]) expect(text, key).toMatch(/\.$/);
  });
  it("knows everything that charts draw", () => {
    for (const { lines } of CHARTS) for (const { key } of lines) expect(findMetric(key), key).toBeDefined();
  });
  it.each(envs.ids)("knows everything that an episode of %s logs", (envId) => {
    // Two in a group, so that what is measured within groups is among them.
    const episodes = ["a", "b"].map((id) => fakeTrajectory({ id, envId, skill: 0.9 }));
    const sampled = { ...sampleMetrics([...episodes, ...episodes], envId), ...turnCounts(episodes) };
    for (const key of Object.keys(sampled)) expect(findMetric(key), key).toBeDefined();
    for (const split of ["train", "val"] as const)
      for (const key of Object.keys(episodeMetrics(episodes, { split, maxReplyTokens: 99 })))
        expect(findMetric(key), key).toBeDefined();
  });
  it("calls a term of the reward as the term and the chart do", () => {
    const builtIn = rewardTerms.all.filter((term) => !rewardTerms.added.includes(term));
    expect(builtIn.map(({ id }) => rewardTitle(id))).toEqual(builtIn.map(({ title }) => title));
    const labels = CHARTS.find(({ id }) => id === "return")!.lines.map(({ label }) => label);
    expect(labels).toEqual(["Task", "Format", "Grounding", "Prediction"]);
    expect([rewardTitle("best_so_far"), rewardTitle("nobody")]).toEqual(["Earned before", "nobody"]);
  });
  it("finds a metric with its environment behind it", () => {
    expect(findMetric("train/success/sokoban")?.key).toBe("train/success");
    expect(findMetric("val/measured/similarity")?.key).toBe("train/measured");
    expect(findMetric("train/measured/icons/similarity")?.key).toBe("train/measured");
    expect(findMetric("nobody/knows")).toBeUndefined();
  });
  it("explains a validation's number as training's, unless it has words of its own", () => {
    expect(findMetric("val/success/sokoban")?.key).toBe("val/success");
    expect(findMetric("val/format_correct")?.key).toBe("train/format_correct");
    expect(findMetric("val/diversity/echo_share/reply")?.key).toBe("diversity/echo_share");
    expect(findMetric("val/judge/cost")?.key).toBe("judge/cost");
    expect(findMetric("custom_metrics/val/reward_variance")?.key).toBe(
      "custom_metrics/train/reward_variance",
    );
  });
  it("says for every environment what an effective action is", () => {
    const definition = findMetric("train/action_is_effective")!.definition.toLowerCase();
    for (const { title } of envs.all) expect(definition, title).toContain(title.toLowerCase());
  });
  // To renew the page after a change of the dictionary: UPDATE_DOCS=1 npx vitest run --project unit dictionary
  it("is what docs/metrics.md says", () => {
    const written = metricsMarkdown(METRICS, alarms.all);
    if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
    expect(readFileSync(docs, "utf8")).toBe(written);
  });
});
