// docs/examples/vagen-extension.d.ts says what the studio takes: its types are those of `api.ts`, and the examples keep to them.
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type * as Author from "../../docs/examples/vagen-extension.d.ts";
import type { ExtensionApi, OwnEstimator, OwnFilter, OwnMetric, OwnRewardTerm, OwnWorld } from "./api.ts";

/** Parts and their types, whether they are written in one object or in several. */
type Flat<T> = { [K in keyof T]: T[K] };
/** Whether two types are identical, down to what is optional and what can be written. */
type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;

interface State {
  readonly col: number;
}
const same: {
  api: Same<Record<keyof Author.ExtensionApi, 1>, Record<keyof ExtensionApi, 1>>;
  environment: Same<Author.Environment, OwnWorld>;
  environmentOfState: Same<Author.Environment<State>, OwnWorld<State>>;
  estimator: Same<Author.Estimator, OwnEstimator>;
  rewardTerm: Same<Author.RewardTerm, OwnRewardTerm>;
  filter: Same<Author.Filter, OwnFilter>;
  metric: Same<Author.Metric, OwnMetric>;
} = {
  api: true,
  environment: true,
  environmentOfState: true,
  estimator: true,
  rewardTerm: true,
  filter: true,
  metric: true,
};

const TYPES = resolve("docs/examples/vagen-extension.d.ts");

/** What the compiler finds in JavaScript files, as an editor would show it; empty if nothing. */
async function faultsIn(...files: string[]): Promise<string> {
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--allowJs", "--checkJs", "--target", "es2023"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler"];
  const call = [resolve("node_modules/typescript/bin/tsc"), ...options, ...modules, ...files];
  return promisify(execFile)(process.execPath, call).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe("the types for authors", () => {
  // The compiler compares them, so `npm run typecheck` fails where they differ.
  it("are those of the studio", () => expect(Object.values(same)).not.toContain(false));

  it("stand alone, and fit the examples", async () => {
    const examples = ["environment", "world", "extension", "instructions", "gusts"].map((name) =>
      resolve(`docs/examples/${name}.mjs`),
    );
    expect(await faultsIn(TYPES, ...examples)).toBe("");
  });

  it("find a misspelt part, a wrong result and a state that has no such part", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "author-")), "mine.mjs");
    const text = `// @ts-check
/** @type {import(${JSON.stringify(TYPES)}).Extension} */
export default ({ environment, metric, rewardTerm }) => {
  metric({ id: "words", measure: () => "three" });
  rewardTerm({ id: "short", scor: () => 1 });
  environment({
    id: "walk", rows: 2, cols: 2, actions: ["Left", "Right"], things: {}, claims: ["goal"],
    start: () => ({ col: 0 }),
    step: (state) => ({ state, success: state.column === 1 }),
    where: ({ col }) => ({ player: [0, col], goal: [0, 1] }),
  });
};
`;
    await writeFile(file, text);
    const faults = (await faultsIn(file)).split("\n").filter((line) => line.includes("error"));
    expect(faults).toEqual([
      expect.stringContaining("(4,"),
      expect.stringContaining("'scor' does not exist"),
      expect.stringContaining("'column' does not exist"),
    ]);
  });
});
