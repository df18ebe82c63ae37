// A worker that simulates for environments. It never runs user code.
import "../envs/index.ts";
import { computeJob, type ThreadJob } from "../envs/threads.ts";

addEventListener("message", async (event) => {
  // A rejection would reach nobody.
  postMessage(await computeJob((event as MessageEvent<ThreadJob>).data).catch(() => null));
});
