// Findings say what their files contain.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { METHOD_REPLAYS } from "../../replay/method-replays.ts";
import type { CaseStudy } from "../../replay/replay.ts";
import { findings, recordedCurve, successCurve, validationRows } from "./findings.ts";
import { exampleOf } from "./findings-panel.tsx";
import { summaryOf, topOfAxis } from "./line-plot.tsx";

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
  it("of one run are means over ten updates", () => {
    const update = Array.from({ length: 12 }, (_, i) => i + 1);
    const json = JSON.stringify({ columns: { update, x: update, y: update } });
    const { points } = recordedCurve(json, "X", ["x", "y"]);
    expect(points.map(({ update: u, mean }) => [u, mean])).toEqual([
      [10, 11],
      [11, 13],
      [12, 15],
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
  it("have two curves in every plot, each with points", () => {
    for (const { plots } of findings)
      for (const { curves } of plots) {
        expect(curves).toHaveLength(2);
        for (const { points } of curves) expect(points.length).toBeGreaterThan(3);
      }
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
    expect(find("hacking").text).toContain("rises from 1.57 to 1.79");
    expect(results).toContain("1.57 → 1.79");
  });
  it("name commands that the docs name, too", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../docs/results.md"), "utf8");
    for (const { source } of findings) expect(docs).toContain(source);
  });
  it("define the variables that their commands read as the docs do", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../docs/results.md"), "utf8");
    const short = /^ {4}short=\([^)]*\)/m.exec(docs)![0].replace(/\s+/g, " ").trim();
    const reading = findings.filter(({ source }) => source.includes("$"));
    expect(reading.map(({ id }) => id)).toEqual(["collapse", "hacking"]);
    for (const { setup } of reading) expect(setup).toBe(short);
  });
  it("write ranges in the unit of their means", () => {
    const { text } = find("estimators");
    expect(text).toMatch(/\d\s% \(\d+\u2060–\u2060\d+\s% over the seeds\)/u);
    expect(text).not.toMatch(/0\.\d/);
  });
  it("compare formats after a longer SFT than that of the recorded replies, as both panels say", () => {
    const [, longer] = /sft\.total_updates=(\d+)/.exec(find("reasoning").source)!;
    for (const id of METHOD_REPLAYS.slice(1)) {
      const file = join(import.meta.dirname, `../../../public/replays/${id}.json`);
      const { config } = JSON.parse(readFileSync(file, "utf8"));
      expect(config.sft.total_updates).toBeLessThan(Number(longer) / 2);
    }
    expect(find("reasoning").meaning).toContain("panel on reasoning formats are from such policies");
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
