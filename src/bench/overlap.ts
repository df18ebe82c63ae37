// `npm run bench -- --overlap <updates>`: how long an update takes when episodes are played before it, and when they are played
// during the one before; with rewards by rule, and with an endpoint that takes its time to judge.
import { setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { formatTable } from "../cli/format-progress.ts";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { presetRun } from "./preset-run.ts";
import { pairedRatio, spread } from "./stats.ts";

/** Updates of each run before the first that is timed: the first ones compile kernels and have no batch that was played ahead. */
const UNTIMED = 2;
/** How long the endpoint takes for a verdict. */
const LATENCY_MS = 200;

/** Seconds of the updates of a run, and the parts of each in which it waited for episodes. */
interface UpdateTimes {
  name: string;
  step: number[];
  waited: number[];
}

/** A run that makes one update at a time and notes how long it took. */
interface TimedRun extends UpdateTimes {
  advance(): Promise<void>;
  dispose(): void;
}

/** An endpoint that approves of every claim after a while. */
async function slowJudge(): Promise<{ url: string; close(): void }> {
  const body = JSON.stringify({ choices: [{ message: { content: "<answer>YES</answer>" } }] });
  const server = createServer((request, response) => {
    request.resume().on("end", () => setTimeout(() => response.end(body), LATENCY_MS));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The nano preset without validations; with an address, judged there. */
function configOf(limit: number, updates: number, url?: string): RunConfig {
  const judged = {
    "judge.name": "llm",
    "judge.base_url": url,
    "judge.concurrency": 64,
    "judge.requests_per_minute": 100_000,
    "reward.judge_scoring": "rubric",
  };
  return checkedRunConfig(
    applyChanges(getPreset("frozenlake-nano").config, {
      "rollout.max_head_offpolicyness": limit,
      "actor.use_decoupled_loss": true,
      "trainer.total_updates": UNTIMED + updates,
      "trainer.test_freq": 0,
      "trainer.val_size": 1,
      ...(url !== undefined && judged),
    }),
  );
}

async function timedRun(provider: GPU, name: string, config: RunConfig): Promise<TimedRun> {
  const run = await presetRun(provider, name, config);
  const times: UpdateTimes = { name, step: [], waited: [] };
  let updates = 0;
  return {
    ...times,
    async advance() {
      const values = await run.advance();
      if (++updates <= UNTIMED) return;
      times.step.push(values["timing_s/step"]!);
      times.waited.push(values["timing_s/gen"]!);
    },
    dispose: () => run.dispose(),
  };
}

/** Trains both runs, their updates in turn, so that a slow minute slows both. */
async function trainBoth(provider: GPU, updates: number, url?: string): Promise<UpdateTimes[]> {
  const both = [
    await timedRun(provider, "before", configOf(0, updates, url)),
    await timedRun(provider, "during", configOf(1, updates, url)),
  ];
  // The last update of a run plays nothing ahead.
  for (let update = 1; update < UNTIMED + updates; update++) for (const one of both) await one.advance();
  for (const one of both) one.dispose();
  return both;
}

function table(title: string, [before, during]: readonly UpdateTimes[]): string {
  const rows = [before!, during!].map(({ name, step, waited }) => {
    const { median, low, high, count } = spread(step);
    const times = [median, low, high, spread(waited).median].map((seconds) => seconds.toFixed(2));
    const ratio = name === during!.name ? `${pairedRatio(before!.step, step).toFixed(2)}×` : "";
    return [name, times[0]!, `${times[1]}–${times[2]}`, times[3]!, `${count}`, ratio];
  });
  const head = ["episodes are played", "s per update", "quartiles", "waited for them", "updates", "speed"];
  return `${title}\n${formatTable([head, ...rows])}`;
}

/** Trains with both ways to play and prints a table for each kind of judge. */
export async function overlapCommand(updates: number, print: (text: string) => void): Promise<number> {
  const { requestGpu } = await import("../cli/gpu.ts");
  // Every request to the endpoint listens for the end of its run; Node warns above 10.
  setMaxListeners(1000);
  const provider = await requestGpu();
  print(table("Judged by rule", await trainBoth(provider, updates)));
  const judge = await slowJudge();
  try {
    print(
      `\n${table(`Judged by an endpoint that takes ${LATENCY_MS} ms`, await trainBoth(provider, updates, judge.url))}`,
    );
  } finally {
    judge.close();
  }
  return 0;
}
