// The rate of requests to an endpoint, and the waits before retries.
import type { Cancel } from "../judge.ts";
import type { Ports } from "./ports.ts";

/** Spreads requests evenly over time, for all workers of a judge together. */
export class Pace {
  private next = 0;

  constructor(
    private readonly ports: Pick<Ports, "now" | "sleep">,
    requestsPerMinute: number,
    private readonly gapMs = 60_000 / requestsPerMinute,
  ) {}

  /** Waits for the next free moment; false, without waiting, when that lies at or after `deadline`. */
  async take(deadline: number, signal: Cancel | undefined): Promise<boolean> {
    const now = this.ports.now();
    const at = Math.max(now, this.next);
    if (at >= deadline) return false;
    this.next = at + this.gapMs;
    if (at > now) await this.ports.sleep(at - now, signal);
    return true;
  }

  /** Holds all requests until then, as the endpoint demands. */
  holdUntil(time: number): void {
    this.next = Math.max(this.next, time);
  }
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

/** Wait before retry number `retry` (from 0): doubling, with jitter of up to half. */
export function backOff(retry: number, random: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retry) * (1 - random / 2);
}

/** Milliseconds that a Retry-After header asks for: seconds or a date (RFC 9110 §10.2.3); null for anything else. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
