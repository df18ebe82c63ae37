// Tries a plugin in a process of its own before the command reads it: code that never ends, or takes all memory, then ends with an error message. A
// worker thread would not do, because V8 aborts the whole process when one large array goes beyond a thread's `resourceLimits`.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ExtensionError } from "../core/errors.ts";
import { LONG_TRIAL_HINT, LONGEST_TRIAL_MS } from "../core/step-limit.ts";
import type { ExtensionSource } from "../extension/api.ts";
import {
  type FromTrial,
  LONGEST_WAIT_MS,
  OUT_OF_MEMORY,
  OUT_OF_TIME,
  TRIAL,
  TRIAL_MIB,
} from "./trial-process.ts";

/** How long such a process may take to start, in milliseconds: a machine that is busy must not blame the plugin. */
const LONGEST_START_MS = 60_000;
/** Characters of its standard error that are kept. */
const LAST_SAID = 10_000;

/**
 * Tries a plugin in a process that `start` begins, and returns it as checked.
 * @throws ExtensionError("invalid") when it is refused, does not end within `limitMs`, needs too much memory or ends the process;
 * ExtensionError("unavailable") when no process can be started.
 */
export async function tryPlugin(
  plugin: ExtensionSource,
  start: () => ChildProcess = startTrial,
  limitMs = LONGEST_WAIT_MS,
): Promise<ExtensionSource> {
  const child = start();
  try {
    await new Trial(child, plugin, limitMs).outcome;
    return { ...plugin, checked: true };
  } finally {
    child.kill("SIGKILL");
  }
}

/** The command line's own file, as a process that tries plugins. What a plugin prints there is dropped: it prints it again. */
const startTrial = (): ChildProcess =>
  fork(fileURLToPath(import.meta.url), [TRIAL], {
    // The process watches its own memory; V8's limit, which aborts it, is for what grows too fast for that.
    execArgv: [`--max-old-space-size=${2 * TRIAL_MIB}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });

/** The trial of one plugin. */
class Trial {
  readonly outcome: Promise<void>;
  private reject: (error: ExtensionError) => void = () => undefined;
  private timer: ReturnType<typeof setTimeout>;
  private isSent = false;
  private said = "";

  constructor(
    private readonly child: ChildProcess,
    private readonly plugin: ExtensionSource,
    private readonly limitMs: number,
  ) {
    this.timer = setTimeout(() => this.failToStart("it did not start in time"), LONGEST_START_MS);
    child.stderr?.on("data", (text) => {
      this.said = `${this.said}${text}`.slice(-LAST_SAID);
    });
    this.outcome = new Promise<void>((resolve, reject) => {
      this.reject = reject;
      child.on("message", (message) => this.receive(message as FromTrial, resolve));
      child.on("error", (error) => this.failToStart(error.message));
      // Later than "exit": all that it said has arrived.
      child.on("close", (code, signal) => this.end(signal ?? `exit code ${code}`));
    }).finally(() => clearTimeout(this.timer));
  }

  private receive(message: FromTrial, resolve: () => void): void {
    if (message.kind === "ready") this.send();
    else if (message.kind === "kept") resolve();
    else if (message.kind === "refused")
      this.reject(new ExtensionError("invalid", message.error.message, message.error.hint));
  }

  private send(): void {
    if (this.isSent) return;
    this.isSent = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.failForTime(this.limitMs), this.limitMs);
    this.child.send(this.plugin);
  }

  /** The process has ended without an answer. */
  private end(how: string): void {
    if (!this.isSent) this.failToStart(how);
    else if (this.said.includes(OUT_OF_TIME)) this.failForTime(LONGEST_TRIAL_MS);
    else if (this.said.includes(OUT_OF_MEMORY))
      this.fail(
        `it needed more than ${TRIAL_MIB} MiB of memory`,
        "Look for a list, a map or a text that grows without an end, or keep less.",
      );
    else {
      const error = /^\w*Error: .*/m.exec(this.said);
      this.fail(
        `it ended the process (${how}${error ? `, ${error[0]}` : ""})`,
        "Do everything in the functions that the studio calls, and nothing in timers or promises.",
      );
    }
  }

  private failForTime(limitMs: number): void {
    this.fail(`it did not end within ${Math.ceil(limitMs / 1000)} seconds`, LONG_TRIAL_HINT);
  }

  private fail(what: string, hint: string): void {
    this.reject(new ExtensionError("invalid", `${this.plugin.name}: when it was tried, ${what}.`, hint));
  }

  private failToStart(why: string): void {
    this.reject(
      new ExtensionError(
        "unavailable",
        `${this.plugin.name} could not be tried, because no process could be started: ${why}.`,
        "Run the command again. If that does not help, delete the folder dist-cli, which is then made again.",
      ),
    );
  }
}
