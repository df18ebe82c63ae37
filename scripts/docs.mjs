// `npm run docs`: writes the pages and figures of docs/ that tests derive from the code.
import "./lib/node-version.mjs";

const { ensureDependencies } = await import("./lib/install.mjs");
const { main, root, run } = await import("./lib/process.mjs");
const { join } = await import("node:path");

const writers = [
  "src/config/describe",
  "src/ui/metrics/dictionary",
  "src/config/vagen/markdown",
  "src/judge/measure",
  "src/envs/environments-page",
  "src/cli/ablate/learning-figures",
];

await main(async () => {
  await ensureDependencies();
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--project", "unit", ...writers, "--update"];
  process.exitCode = await run(process.execPath, args, { env: { UPDATE_DOCS: "1" } });
});
