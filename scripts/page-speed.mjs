// `npm run page-speed`: what a first visit to the front page costs, on the production build. It prints a table; nothing is
// asserted here, because times depend on the machine (`e2e/budget.test.ts` holds the sizes to their budgets).

import "./lib/node-version.mjs";

const { main, runNpm } = await import("./lib/process.mjs");
const { ensureBrowser } = await import("./lib/ensure-browser.mjs");
const { ensureDependencies } = await import("./lib/install.mjs");

await main(async () => {
  await ensureDependencies();
  await ensureBrowser();
  await runNpm(["run", "build"]);
  const { measurePage } = await import("./lib/measure-page.mjs");
  await measurePage();
});
