// Shows as text what the worker answers, and beside it the hashes of the same homes from the page's own thread.
import { homeHashes } from "./homes.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
worker.onmessage = async ({ data }: MessageEvent<object>) => {
  const answer = document.createElement("output");
  answer.textContent = JSON.stringify({ ...data, pageHomes: await homeHashes() });
  document.body.append(answer);
};
