// Runs a task of child.ts in a process of its own.
import { spawn } from "node:child_process";
import { join } from "node:path";

/** The task's result. @throws Error when the process fails, or does not end within `limitMs`. */
export function inChild<Result>(args: readonly (string | number)[], limitMs: number): Promise<Result> {
  const script = join(import.meta.dirname, "child.js");
  const child = spawn(process.execPath, ["--enable-source-maps", script, ...args.map(String)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(JSON.parse(out.trim().split("\n").at(-1)!) as Result);
      else if (signal === "SIGKILL")
        reject(new Error(`no end within ${limitMs / 1000} s: ${args.join(" ")}`));
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${err.slice(-1000)}`));
    });
  });
}
