// Tries of the policy from a turn of the replay. They are outside the button, which is drawn elsewhere when the layout changes.
import { useEffect, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { plainMessage } from "../lib/plain-error.ts";
import type { Attempt, TryAgain } from "./try-again.tsx";

const TRIES = 10;

export class Retry {
  private attempt: Attempt | null = null;
  private running: AbortController | null = null;
  private readonly listeners = new Set<() => void>();

  readonly get = (): Attempt | null => this.attempt;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Lets the policy try. What fails becomes the `problem` of the attempt. */
  async start(turn: number, onTryAgain: TryAgain): Promise<void> {
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const change = (of: Partial<Attempt>) =>
      !signal.aborted && this.attempt && this.set({ ...this.attempt, ...of });
    this.set({ turn, tries: TRIES, outcomes: [], isDone: false, problem: "" });
    const onTry = (success: boolean) => change({ outcomes: [...(this.attempt?.outcomes ?? []), success] });
    try {
      await onTryAgain({ turn, tries: TRIES, signal, onTry });
      change({ isDone: true });
    } catch (error) {
      change({ isDone: true, problem: plainMessage(serializeError(error)) });
    }
  }

  /** Ends what runs, and drops what came of it. */
  cancel(): void {
    this.running?.abort();
    this.set(null);
  }

  private set(attempt: Attempt | null): void {
    this.attempt = attempt;
    for (const listener of this.listeners) listener();
  }
}

/** The tries of one replay; they end with the component. */
export function useRetry(): Retry {
  const [retry] = useState(() => new Retry());
  useEffect(() => () => retry.cancel(), [retry]);
  return retry;
}
