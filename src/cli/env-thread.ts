// A thread that simulates for environments.
import { parentPort } from "node:worker_threads";
import "../envs/index.ts";
import { computeJob, type ThreadJob } from "../envs/threads.ts";

parentPort?.on("message", async (job: ThreadJob) => {
  parentPort?.postMessage(await computeJob(job));
});
