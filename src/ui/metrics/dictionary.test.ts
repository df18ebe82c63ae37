import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { envs } from "../../envs/index.ts";
import { episodeMetrics } from "../../rl/metrics.ts";
import { CHARTS } from "../charts/catalog.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { findMetric, METRICS } from "./dictionary.ts";
import { metricsMarkdown } from "./markdown.ts";

const docs = join(import.meta.dirname, "../../../docs/metrics.md");

describe("the metric dictionary", () => {
  it("names each metric once and explains it", () => {
    expect(new Set(METRICS.map((metric) => metric.key)).size).toBe(METRICS.length);
    for (const { key, definition, healthy } of METRICS) {
      expect(definition, key).toMatch(/\.$/);
      expect(healthy, key).toMatch(/\.$/);
    }
  });
  it("knows everything that charts draw", () => {
    for (const { lines } of CHARTS)
      for (const { key } of lines) {
        const bare = key.replace(/\/(min|max)$/, "/mean");
        expect(findMetric(key) ?? findMetric(bare), key).toBeDefined();
      }
  });
  it.each(envs.ids)("knows everything that an episode of %s logs", (envId) => {
    const metrics = episodeMetrics([fakeTrajectory({ envId, skill: 0.9 })], { maxReplyTokens: 99 });
    for (const key of Object.keys(metrics)) {
      const bare = key.replace(/\/(min|max)$/, "/mean");
      expect(findMetric(key) ?? findMetric(bare), key).toBeDefined();
    }
  });
  it("finds a metric with its environment behind it", () => {
    expect(findMetric("train/success/sokoban")?.key).toBe("train/success");
    expect(findMetric("nobody/knows")).toBeUndefined();
  });
  // To renew the page after a change of the dictionary: UPDATE_DOCS=1 npx vitest run --project unit dictionary
  it("is what docs/metrics.md says", () => {
    const written = metricsMarkdown(METRICS);
    if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
    expect(readFileSync(docs, "utf8")).toBe(written);
  });
});
