// Shows as text what the worker answers.
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
worker.onmessage = ({ data }: MessageEvent<unknown>) => {
  const answer = document.createElement("output");
  answer.textContent = JSON.stringify(data);
  document.body.append(answer);
};
