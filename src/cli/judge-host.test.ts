import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { GroundTruth } from "../core/types.ts";
import type { JudgeQuestion } from "../judge/judge.ts";
import { readRecording, recording, recordingLine } from "../judge/recording.ts";
import { judgeByRule, ruleJudge } from "../judge/rule.ts";
import { openJudging } from "../run/judging.ts";
import { nodeJudgeHost, VERDICTS } from "./judge-host.ts";

const truth: GroundTruth = { rows: 4, cols: 4, player: [0, 0], entities: { goal: [[3, 3]] } };
const ask = (text: string): JudgeQuestion => ({ claim: "observation", text, truth, names: ["player"] });
const lineOf = (text: string) => recordingLine(ask(text), judgeByRule(ask(text)));
const folder = () => mkdtemp(join(tmpdir(), "judge-host-"));
const read = async (path: string) => readRecording(await readFile(path, "utf8"), path);

test("a disk that cannot be written ends nothing: it is said once, and the verdicts go with the next ones", async () => {
  const run = join(await folder(), "run");
  // No folder can be made where a file is.
  await writeFile(run, "");
  const said: string[] = [];
  const host = nodeJudgeHost({ folder: run, say: (line) => said.push(line) });
  const judge = recording(ruleJudge, host.record!);
  for (const text of ["player at row 0 col 0", "player at row 1 col 1"])
    expect(await judge.judge([ask(text)])).toEqual([judgeByRule(ask(text))]);
  expect(said).toEqual([
    expect.stringMatching(/^warning: a verdict could not be written to .*Training continues/),
  ]);
  await rm(run);
  await mkdir(run);
  await judge.judge([ask("player at row 2 col 2")]);
  expect(await read(join(run, VERDICTS))).toMatchObject({ size: 3, cut: 0 });
  expect(said).toHaveLength(1);
});

test("a line that was cut off spoils neither the next one nor the file", async () => {
  const path = await folder();
  const file = join(path, VERDICTS);
  await writeFile(file, `${lineOf("a")}\n${lineOf("b").slice(0, 60)}`);
  for (const text of ["c", "d"]) nodeJudgeHost({ folder: path }).record!(lineOf(text));
  expect(await read(file)).toMatchObject({ size: 3, cut: 1 });

  const said: string[] = [];
  const config = checkedRunConfig({ judge: { name: "recorded", recording: file } });
  const { training } = await openJudging(config, nodeJudgeHost({ say: (line) => said.push(line) }));
  const verdicts = await training.judge(["a", "b", "c", "d"].map(ask));
  expect(verdicts.map(({ status }) => status === "not_judged")).toEqual([false, true, false, false]);
  expect(said).toEqual([
    `warning: ${file}: 1 line that was cut off is left out; the claims have no verdict there.`,
  ]);
});

test("16 requests at a time do not make Node warn of a memory leak", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on("warning", note);
  const { sleep } = nodeJudgeHost().ports!;
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 16 }, () => sleep(1, signal)));
  process.off("warning", note);
  expect(warnings).toEqual([]);
});
