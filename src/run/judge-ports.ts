// The network and the clock of a judge: fetch and timers, which the page, its worker and Node all have.
import type { Cancel } from "../judge/judge.ts";
import type { HttpReply, HttpRequest, Ports } from "../judge/llm/ports.ts";

/** Ports over the platform's own fetch and timers. */
export const platformPorts: Ports = {
  post,
  sleep,
  now: () => Date.now(),
  random: () => Math.random(),
};

async function post(request: HttpRequest, signal: Cancel | undefined): Promise<HttpReply> {
  const { url, headers, body, timeoutMs } = request;
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new Error(`nothing within ${Math.round(timeoutMs)} ms`)),
    timeoutMs,
  );
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    const response = await fetch(url, {
      ...CONFINED,
      method: "POST",
      headers,
      body,
      signal: controller.signal,
    });
    // The body belongs to what may take too long.
    const text = await limitedText(response);
    const redirect = redirectOf(response, url);
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body: text,
      ...(redirect !== undefined && { redirect }),
    };
  } catch (error) {
    throw withCause(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** A request brings its own headers and nothing of the page's, and goes to the address that was named and to no other. */
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

/** Bytes of a reply: many times the longest that a judge may be asked for. */
const LONGEST_REPLY = 2 ** 22;

/** The body as text. @throws when it is longer than any answer, before all of it has come. */
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

/** "fetch failed" says nothing; what it was caused by does. */
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
