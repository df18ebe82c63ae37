// Findings say what their files contain.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { METHOD_REPLAYS } from "../../replay/method-replays.ts";
import type { CaseStudy } from "../../replay/replay.ts";
import { formatPercent, unbroken } from "../lib/format.ts";
import { findings, successCurve, trainingCurve, validationRows } from "./findings.ts";
import { exampleOf } from "./findings-panel.tsx";
import { LinePlot, summaryOf, topOfAxis } from "./line-plot.tsx";

const csv = [
  "method,format,seed,update,levels,success",
  "a,f,0,0,256,0.25",
  "a,f,1,0,256,0.75",
  "a,f,0,20,256,0.5",
  "b,f,0,0,256,0.9",
].join("\n");
const find = (id: string) => findings.find((finding) => finding.id === id)!;

describe("curves", () => {
  it("are means over seeds, with the worst and the best", () => {
    expect(successCurve(validationRows(csv), "A", "a", "f").points).toEqual([
      { update: 0, mean: 0.5, low: 0.25, high: 0.75 },
      { update: 20, mean: 0.5, low: 0.5, high: 0.5 },
    ]);
  });
  it("are the same where a further column names the critic", () => {
    const named = csv.replaceAll("\n", ",true\n").replace("success,true", "success,asymmetric_critic");
    expect(validationRows(`${named},true`)).toEqual(validationRows(csv));
  });
  it("of training are means over ten updates, then over seeds", () => {
    const rows = Array.from({ length: 12 }, (_, i) => [
      `a,0,${i + 1},${i + 1}`,
      `b,0,${i + 1},0`,
      `a,1,${i + 1},1`,
    ]);
    const { points } = trainingCurve(["run,seed,update,x", ...rows.flat()].join("\n"), "X", "a", "x");
    expect(points).toEqual([
      { update: 10, mean: 3.25, low: 1, high: 5.5 },
      { update: 11, mean: 3.75, low: 1, high: 6.5 },
      { update: 12, mean: 4.25, low: 1, high: 7.5 },
    ]);
  });
  it("fit under their axis", () => {
    const plot = (high: number) => ({
      title: "t",
      note: "",
      isShare: false,
      curves: [{ name: "c", points: [{ update: 1, mean: high, low: high, high }] }],
    });
    expect([plot(1.8), plot(0.29), plot(14)].map(topOfAxis)).toEqual([2, expect.closeTo(0.3), 20]);
    expect(topOfAxis({ ...plot(0.4), isShare: true })).toBe(1);
    expect(summaryOf(plot(2))).toBe("t: c from 2 at update 1 to 2 at update 1.");
  });
});

describe("the findings", () => {
  it("have curves with points in every plot, each in a colour of its own", () => {
    for (const { plots } of findings)
      for (const plot of plots) {
        for (const { points } of plot.curves) expect(points.length).toBeGreaterThan(2);
        const strokes = [
          ...renderToStaticMarkup(createElement(LinePlot, { plot })).matchAll(/<polyline[^>]*/g),
        ].map(([drawn]) => /stroke="([^"]+)"/.exec(drawn)?.[1]);
        expect(new Set(strokes).size).toBe(plot.curves.length);
      }
  });
  it("draw every curve whose number they name", () => {
    const { text, plots } = find("reasoning");
    const { curves } = plots[0]!;
    expect(curves.map(({ name }) => name)).toEqual(["NoThink", "FreeThink", "WorldModeling"]);
    for (const { name, points } of curves)
      expect(text).toMatch(
        new RegExp(`\\(${name}\\)[^%]* ${unbroken(formatPercent(points.at(-1)!.mean))}`, "u"),
      );
  });
  it("say what docs/results.md says", () => {
    const results = readFileSync(join(import.meta.dirname, "../../../docs/results.md"), "utf8");
    const table = (name: string) =>
      Number(new RegExp(`\\| ${name} \\|[^|]*\\| \\*\\*([\\d.]+)`).exec(results)![1]);
    const end = (id: string, n: number) => find(id).plots[0]!.curves[n]!.points.at(-1)!.mean;
    expect(end("masks", 0)).toBeCloseTo(table("Vanilla PPO"), 3);
    expect(end("masks", 1)).toBeCloseTo(table("VAGEN-Base"), 3);
    expect(end("estimators", 1)).toBeCloseTo(table("Bi-Level GAE alone"), 3);
    expect(end("reasoning", 0)).toBeCloseTo(table("NoThink \\(`no_think`\\)"), 3);
    expect(end("reasoning", 2)).toBeCloseTo(table("WorldModeling \\(`grounding_worldmodeling`\\)"), 3);
    const rooms = results.slice(results.indexOf("Sokoban, the same methods"));
    const roomsEnd = (name: string) =>
      Number(new RegExp(`\\| ${name} \\|[^|]*\\| \\*\\*([\\d.]+)`).exec(rooms)![1]);
    expect(end("collapse", 0)).toBeCloseTo(roomsEnd("Vanilla PPO"), 3);
    expect(end("collapse", 1)).toBeCloseTo(roomsEnd("VAGEN-Base"), 3);
    const [, from, to] = /judge reward rises from ([\d.]+) to ([\d.]+)/.exec(find("hacking").text)!;
    expect(results).toContain(`rises from ${from} to ${to} (mean of three seeds)`);
  });
  it("name commands that the docs name, too", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../docs/results.md"), "utf8");
    const lines = docs.split("\n").map((line) => line.trim());
    for (const { sources } of findings) for (const source of sources) expect(lines).toContain(source);
  });
  it("name a command for every run whose curve is drawn", () => {
    const runs = readFileSync(
      join(import.meta.dirname, "../../../docs/reward-hacking-frozenlake-nano.csv"),
      "utf8",
    )
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(",").slice(0, 2).join());
    const named = find("hacking").sources.map((command) => {
      const [, seed] = /--seed (\d+)/.exec(command)!;
      return `${command.includes("scale_by_turns=false") ? "each_turn" : "shared"},${seed}`;
    });
    expect(named.sort()).toEqual([...new Set(runs)].sort());
  });
  it("write ranges in the unit of their means", () => {
    const { text } = find("estimators");
    expect(text).toMatch(/\d\s% \(\d+\u2060–\u2060\d+\s% over the seeds\)/u);
    expect(text).not.toMatch(/0\.\d/);
  });
  it("compare formats with the settings of the recorded replies, as the panel says", () => {
    const { sources, meaning } = find("reasoning");
    for (const id of METHOD_REPLAYS.slice(1)) {
      const file = join(import.meta.dirname, `../../../public/replays/${id}.json`);
      const { provenance } = JSON.parse(readFileSync(file, "utf8"));
      for (const set of ["sft.total_updates=3200", "sft.one_turn_updates=1600"])
        for (const command of [...sources, provenance.policy]) expect(command, id).toContain(`--set ${set} `);
    }
    expect(meaning).toContain("replies of other runs with the same settings");
  });
  it("lead to a case study that exists, or to none", () => {
    const study = (id: string): CaseStudy => ({
      ...{ id, env: "frozenlake", title: "T", lookAt: "L", replays: [], preset: "frozenlake-nano" },
    });
    const [belief, hack] = [study("wrong-belief"), study("reward-hacking")];
    expect(exampleOf(find("hacking"), [belief, hack])).toBe(hack);
    expect(exampleOf(find("hacking"), [belief])).toBeUndefined();
  });
});
