// Network and clock for judges, over fetch and timers of the page, the worker or Node.
import type { Cancel } from "../judge/judge.ts";
import type { HttpReply, HttpRequest, Ports } from "../judge/llm/ports.ts";

/** Ports over a fetch and the platform's timers. */
export const portsWith = (fetch: Fetch): Ports => ({
  post: (request, signal) => post(fetch, request, signal),
  sleep,
  now: () => Date.now(),
  random: () => Math.random(),
});

type Fetch = typeof globalThis.fetch;

/** Ports over the platform's own fetch and timers. */
export const platformPorts: Ports = portsWith((...request) => globalThis.fetch(...request));

async function post(fetch: Fetch, request: HttpRequest, cancel: Cancel | undefined): Promise<HttpReply> {
  const { url, headers, body, timeoutMs } = request;
  const { signal, end } = timeLimit(timeoutMs, cancel);
  try {
    // Reading the body counts towards the time limit.
    return await replyOf(await fetch(url, { ...CONFINED, method: "POST", headers, body, signal }), url);
  } catch (error) {
    throw withCause(error);
  } finally {
    end();
  }
}

/** A signal that aborts after some time, or when `cancel` does; `end` stops waiting for either. */
function timeLimit(ms: number, cancel: Cancel | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(cancel?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`nothing within ${Math.round(ms)} ms`)), ms);
  cancel?.addEventListener("abort", abort);
  if (cancel?.aborted) abort();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      cancel?.removeEventListener("abort", abort);
    },
  };
}

async function replyOf(response: Response, url: string): Promise<HttpReply> {
  const body = await limitedText(response);
  const redirect = redirectOf(response, url);
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    body,
    ...(redirect !== undefined && { redirect }),
  };
}

/** A request carries only its own headers, and follows no redirect to another address. */
const CONFINED = {
  redirect: "manual",
  credentials: "omit",
  referrerPolicy: "no-referrer",
  cache: "no-store",
} as const;

/** The origin that a redirect leads to; empty in a page, where browsers hide it; undefined for any other reply. */
function redirectOf({ type, status, headers }: Response, url: string): string | undefined {
  if (type === "opaqueredirect") return "";
  const location = headers.get("location");
  if (status < 300 || status > 399 || location === null) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).origin : "";
}

/** The limit for a reply in bytes: many times the longest one that a judge requests. */
const LONGEST_REPLY = 2 ** 22;

/** The body as text. @throws as soon as it exceeds the limit. */
async function limitedText({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > LONGEST_REPLY) {
      await reader.cancel();
      throw new Error(`it is longer than ${LONGEST_REPLY / 2 ** 20} MiB`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Replaces "fetch failed" by its cause. */
function withCause(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const { code } = error.cause as Error & { code?: string };
  return new Error(code ?? error.cause.message, { cause: error });
}

function sleep(ms: number, signal: Cancel | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(resolve), ms);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}
