// The network and the clock of a model judge. This layer has neither; callers provide them.
import type { Cancel } from "../judge.ts";

export interface HttpRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Give up after this long. */
  timeoutMs: number;
}

export interface HttpReply {
  status: number;
  /** A header by its name in lower case. */
  header(name: string): string | null;
  body: string;
  /** Only of a redirect, which is not followed: the origin that it leads to, or empty where that is not known. */
  redirect?: string;
}

export interface Ports {
  /** Rejects without a complete reply in time, or with the reason of an aborted `signal`. */
  post(request: HttpRequest, signal: Cancel | undefined): Promise<HttpReply>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the reason of an aborted `signal`. */
  sleep(ms: number, signal: Cancel | undefined): Promise<void>;
  /** 0 ≤ x < 1; only spreads retries. */
  random(): number;
}
