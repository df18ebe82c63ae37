// A worker that simulates for environments. It runs no code of a user's.
import "../envs/index.ts";
import { computeJob, type ThreadJob } from "../envs/threads.ts";

addEventListener("message", async (event) => {
  postMessage(await computeJob((event as MessageEvent<ThreadJob>).data));
});
