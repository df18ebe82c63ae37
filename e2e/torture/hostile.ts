// Links, configurations, checkpoints and stored runs that want a page to load something, to run something or to break.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Rng } from "../../src/core/rng.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../src/persistence/checkpoint.ts";
import { pack } from "../../src/persistence/packed.ts";
import { fakeTrajectory } from "../../src/ui/testing/fake-trajectory.ts";
import { watchPage } from "../lib/browser.ts";
import { openStudio, quickRun, type Studio } from "./studio-page.ts";
import { type Figure, type Suite, type SuiteOptions, trialNumbers, trialRng } from "./suite.ts";

const EVIL = "https://evil.example";
const RUN = "globalThis.hostile=1";

/** Texts that would do something where a page took them for more than text. */
const TEXTS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${EVIL}/a.png">`,
  `<svg onload="${RUN}"/>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.hostile=1</script>"></iframe>`,
  `"><script>${RUN}</script>`,
  `' onmouseover='${RUN}`,
  `</script><script src="${EVIL}/a.js"></script>`,
  `</style><style>@import url(${EVIL}/a.css);</style>`,
  `url(${EVIL}/a.png)`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `[a](javascript:${RUN})`,
  `${EVIL}/checkpoint.safetensors`,
  `//evil.example/a`,
  `\${${RUN}}{{${RUN}}}`,
  "__proto__",
  "constructor",
  "toString",
  "../../../etc/passwd",
  "%",
  "%E0%A4%A",
  "\u0000\u0007\u001b[31m",
  "\u202e\u2066\ufeff",
  "\ud800",
  "é".repeat(5000),
  "[".repeat(3000),
  "a b\n\tc: - {",
] as const;

/** What a page must not have done. */
const wrongs = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    if ("hostile" in globalThis) found.push("a script ran");
    if ("polluted" in {}) found.push("a prototype was changed");
    if (document.body.innerText.includes("This view stopped working")) found.push("a view stopped working");
    if (document.body.innerText.trim() === "") found.push("the page is empty");
    return found;
  });

type Attack = (page: Page, url: string, random: Rng) => Promise<void>;

const openFile = async (page: Page, label: string, name: string, content: string | Uint8Array) => {
  const buffer = Buffer.from(content);
  await page.getByLabel(label).setInputFiles({ name, mimeType: "application/octet-stream", buffer });
};

const text = (random: Rng): string => random.pick(TEXTS);
const quoted = (value: string): string => JSON.stringify(value);

const link: Attack = async (page, url, random) => {
  const path = random.pick(["", "/train", "/trace", "/trace/", "/trace/../", "//", "/train/"]);
  const [name, value] = [text(random), text(random)];
  const encoded = random.pick([encodeURI, encodeURIComponent, (raw: string) => raw]);
  const part = (raw: string) => {
    try {
      return encoded(raw);
    } catch {
      return encodeURIComponent("lone");
    }
  };
  const query = random.pick([
    "",
    `?${part(name)}=${part(value)}`,
    `?turn=${part(value)}&token=-1e999&view=__proto__`,
  ]);
  const size = random.pick([1, 1, 200]);
  await page.goto(`${url}#${path}${part(name).repeat(size)}${query}`);
};

/** Lines that replace or join those of a right configuration. */
const LINES: readonly ((value: string) => string)[] = [
  (value) => `name: ${quoted(value)}`,
  (value) => `description: ${quoted(value)}`,
  (value) => `expected_time: ${quoted(value)}`,
  (value) => `${quoted(value)}: 1`,
  (value) => `seed: ${quoted(value)}`,
  () => "__proto__: { polluted: true }",
  () => "constructor: { prototype: { polluted: true } }",
  (value) => `judge: { name: llm, base_url: ${quoted(value)}, model: ${quoted(value)} }`,
  () => `judge: { name: llm, base_url: ${EVIL}/v1, model: m }`,
  () => `extra: &a [*a, *a]`,
  () => `extra: ${"[".repeat(500)}`,
];

const configuration: Attack = async (page, url, random) => {
  const lines = new Map([["name", ""]]);
  let yaml = quickRun(3, `init_checkpoint: ${quoted(random.pick(["", "blob:x#%", text(random)]))}`);
  for (let i = random.int(3); i >= 0; i--) {
    const line = random.pick(LINES)(text(random));
    const key = line.split(":")[0]!;
    // A key that is there twice would be refused for that.
    yaml = yaml.replace(new RegExp(`^${key.replace(/\W/g, "\\$&")}:.*\n`, "m"), "");
    if (!lines.has(key) || key === "name") yaml += `${line}\n`;
    lines.set(key, line);
  }
  await page.goto(url);
  await openFile(page, "Open a configuration", text(random).slice(0, 100), yaml);
};

const vagenFile: Attack = async (page, url, random) => {
  const [key, value] = [text(random), text(random)];
  const lines = [
    `env1:\n  env_name: ${quoted(random.pick(["frozenlake", value]))}\n  ${quoted(key)}: ${quoted(value)}`,
    `algorithm:\n  adv_estimator: ${quoted(value)}`,
    `trainer:\n  project_name: ${quoted(value)}\n  experiment_name: \${${key}}`,
    `actor_rollout_ref:\n  model:\n    path: ${quoted(value)}`,
    "__proto__:\n  polluted: true",
  ];
  await page.goto(url);
  const name = random.pick(["run.yaml", "env.yaml", "run.sh"]);
  const script = `python3 -m vagen.trainer.main_ppo \\\n  trainer.project_name='${value}' \\\n  algorithm.adv_estimator=${value}`;
  await openFile(
    page,
    "Open a configuration",
    name,
    name.endsWith("sh") ? script : random.shuffle(lines).join("\n"),
  );
};

const warmup = join(
  import.meta.dirname,
  "..",
  "..",
  "public",
  "checkpoints",
  "frozenlake-nano-warmup.safetensors",
);

/** A checkpoint with a right checksum and texts of a stranger. */
async function hostileCheckpoint(random: Rng, runId = text(random)): Promise<Uint8Array> {
  const { meta, tensors } = await decodeCheckpoint(new Uint8Array(readFileSync(warmup)), "SFT");
  const config = { ...(meta.config as object), name: text(random), description: text(random) };
  const surfaces = meta.vocabulary.surfaces.map((surface) => (random.int(20) === 0 ? text(random) : surface));
  const changes = [
    { config },
    { config, counters: JSON.parse('{"__proto__": {"polluted": true}, "tokens": null}') },
    { config, provenance: { command: text(random), commit: text(random), seed: 0, figures: {} } },
    { config, extensions: [{ name: text(random), kind: text(random), sha256: text(random) }] },
    { config, vocabulary: { ...meta.vocabulary, surfaces } },
  ];
  return encodeCheckpoint({
    meta: { ...meta, runId, update: 12, ...(random.pick(changes) as object) },
    tensors,
  });
}

const checkpointFile: Attack = async (page, url, random) => {
  await page.goto(url);
  await openFile(page, "Open a configuration", "run.yaml", quickRun(3));
  await openFile(
    page,
    "Checkpoint file",
    `${text(random).slice(0, 80)}.safetensors`,
    await hostileCheckpoint(random),
  );
};

/** Settings that the page reads of a run on screen. */
const PATHS = [
  "env",
  "env.config",
  "rollout",
  "rollout.max_turns",
  "actor.lr",
  "trainer.total_updates",
  "__proto__.polluted",
];

const hostileEvent = (random: Rng): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => ({ type: text(random) }),
    () => ({ type: "metrics", update: 1, values: { [text(random)]: 1, __proto__: 2 } }),
    () => ({ type: "metrics" }),
    () => ({ type: "warning", update: 1, code: text(random), message: text(random), hint: text(random) }),
    () => ({
      type: "config_changed",
      update: 1,
      path: random.pick([...PATHS, text(random)]),
      from: text(random),
      to: random.pick([{ a: text(random) }, null, [], text(random)]),
    }),
    () => ({ type: "run_started", runId: text(random), config: null }),
    () => ({
      type: "run_finished",
      update: 12,
      reason: text(random),
      error: { name: "E", message: text(random) },
    }),
    () => ({ type: "device_lost", update: 1, message: text(random), recovering: "x", resumeFrom: null }),
    () => ({ type: "validation", report: { update: 1, metrics: { [text(random)]: null } } }),
  ])();

/** A trace with texts of a stranger in its replies and observations. */
function hostileTrace(random: Rng): unknown {
  const trajectory = structuredClone(fakeTrajectory({ seed: 1 + random.int(50) }));
  const turn = trajectory.turns[0] as unknown as Record<string, unknown>;
  const broken = random.pick<() => unknown>([
    () => Object.assign(turn, { reply: { ...(turn.reply as object), text: text(random) } }),
    () => Object.assign(turn, { feedback: text(random), observation: { text: text(random), images: [] } }),
    () => Object.assign(trajectory, { id: text(random), envId: text(random) }),
    () => Object.assign(trajectory, { turns: [null] }),
    () => null,
  ]);
  broken();
  return { type: "trajectory", update: 3, source: random.pick(["train", "validation"]), trajectory };
}

const storedRun: Attack = async (page, url, random) => {
  const runId = `stranger-${random.int(1e6)}`;
  const checkpoint = await hostileCheckpoint(random, random.pick([runId, text(random)]));
  const events = Array.from({ length: 5 }, () => JSON.stringify(hostileEvent(random)));
  const traces = await pack(Array.from({ length: 3 }, () => random.pick([hostileTrace(random), null])));
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const files = {
    "checkpoints/update-000012.safetensors": base64(checkpoint),
    "events.jsonl": base64(Buffer.from(`${random.shuffle(events).join("\n")}\n{"half`)),
    "trajectories.packed": base64(traces),
  };
  await page.goto(`${url}#/train`);
  await page.evaluate(plant, { runId, files });
  await page.reload();
  const open = page.getByRole("button", { name: "Open", exact: true });
  // A run that cannot be read is not offered, which is right.
  if (
    !(await open
      .first()
      .waitFor({ timeout: 4000 })
      .then(
        () => true,
        () => false,
      ))
  )
    return;
  await open.first().click();
  await page.waitForTimeout(300);
  await page.goto(`${url}#/trace`);
  await page
    .locator("tbody a")
    .first()
    .click({ timeout: 1500 })
    .catch(() => {});
};

/** Runs in the page: puts files into the browser's store as if an earlier visit had. */
async function plant({ runId, files }: { runId: string; files: Record<string, string> }): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const runs = await root.getDirectoryHandle("runs", { create: true });
  const run = await runs.getDirectoryHandle(runId, { create: true });
  for (const [path, content] of Object.entries(files)) {
    const [name, folder] = path.split("/").reverse() as [string, string | undefined];
    const place = folder ? await run.getDirectoryHandle(folder, { create: true }) : run;
    const writer = await (await place.getFileHandle(name, { create: true })).createWritable();
    await writer.write(Uint8Array.from(atob(content), (char) => char.charCodeAt(0)));
    await writer.close();
  }
}

const ATTACKS = { link, configuration, vagenFile, checkpointFile, storedRun } as const;
type Kind = keyof typeof ATTACKS;
const KINDS = Object.keys(ATTACKS) as Kind[];

async function attack({ browser, server }: Studio, kind: Kind, random: Rng): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(30_000);
  try {
    const page = await context.newPage();
    const watch = watchPage(page, server.url);
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await ATTACKS[kind](page, server.url, random);
    await page.waitForTimeout(600);
    const moved = new URL(page.url()).origin === new URL(server.url).origin ? [] : [`now at ${page.url()}`];
    return [...watch.problems(), ...dialogs, ...moved, ...(await wrongs(page))];
  } finally {
    await context.close();
  }
}

async function run(options: SuiteOptions): Promise<Figure[]> {
  const studio = await openStudio();
  const numbers = trialNumbers(options, 200);
  const problems: string[] = [];
  let failed = 0;
  try {
    for (const trial of numbers) {
      const kind = KINDS[trial % KINDS.length]!;
      options.progress(`${trial} of ${numbers.length}, ${kind}; ${failed} failed`);
      const found = await attack(studio, kind, trialRng(options.seed, "hostile", trial)).catch(
        (error: Error) => [error.message],
      );
      if (found.length === 0) continue;
      failed++;
      problems.push(...found);
      options.fail(trial, [kind, ...found]);
    }
  } finally {
    await studio.close();
  }
  const count = (word: string) => problems.filter((problem) => problem.startsWith(word)).length;
  return [
    {
      figure: "hostile links and files",
      value: `${numbers.length} opened: ${count("foreign request")} foreign requests, ${count("a script") + count("a dialog")} scripts run, ${count("uncaught") + count("console")} errors, ${count("a view")} views stopped`,
      passed: failed === 0,
    },
  ];
}

export const hostile: Suite = {
  name: "hostile",
  summary: "200 links, configurations, checkpoints and stored runs of a stranger, opened on the page",
  run,
};
