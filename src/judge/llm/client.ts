// One prompt in, one completion out: paced, retried, counted.
import type { Cancel } from "../judge.ts";
import { backOff, Pace, retryAfterMs } from "./pace.ts";
import type { HttpReply, Ports } from "./ports.ts";
import { type Provider, providers, type TokenCounts } from "./providers.ts";
import { redactor } from "./redact.ts";

/** Settings, under the names of the run's configuration. */
export interface ClientSettings {
  provider: string;
  /** Empty: the provider's own. */
  base_url: string;
  model: string;
  temperature: number;
  max_tokens: number;
  max_retries: number;
  /** Seconds for one request. */
  timeout: number;
  requests_per_minute: number;
  /** Price in US dollars of a million tokens. */
  input_price: number;
  output_price: number;
}

/** Requests and cost so far. Tokens are estimated if the endpoint does not report them. */
export interface Usage {
  requests: number;
  retries: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars, by the configured prices. */
  cost: number;
}

/** The request has no answer: the reason in words, without keys. */
export class NoAnswer extends Error {}

/** Why an attempt failed, and whether another one may succeed. */
interface Failure {
  reason: string;
  again: boolean;
  waitMs?: number | null;
  /** The same request, with another name of a parameter, may succeed at once. */
  isRenamed?: boolean;
}

/** A rough rule for English text, for endpoints that do not count tokens. */
const CHARS_PER_TOKEN = 4;
const estimate = (text: string) => Math.ceil(text.length / CHARS_PER_TOKEN);

export class Client {
  readonly usage: Usage = { requests: 0, retries: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
  /** Takes the key out of text that an endpoint has sent. Apply it before the text is cut. */
  readonly redact: (text: string) => string;
  private readonly provider: Provider;
  private readonly pace: Pace;
  /** The last batch that is shorter than a wait that the endpoint demanded. */
  private givenUp = { deadline: Number.NEGATIVE_INFINITY, reason: "" };
  /** The endpoint has asked for the length under its other name. */
  private isLengthRenamed = false;

  constructor(
    private readonly settings: ClientSettings,
    private readonly ports: Ports,
    /** Never part of a message. */
    private readonly key: string,
  ) {
    this.provider = providers.get(settings.provider);
    this.pace = new Pace(ports, settings.requests_per_minute);
    this.redact = redactor(key);
  }

  /** The model's answer before `deadline`. @throws NoAnswer, or the reason of an aborted `signal`. */
  async complete(text: string, deadline: number, signal: Cancel | undefined): Promise<string> {
    for (let retry = 0; ; retry++) {
      if (!(await this.mayAsk(deadline, signal))) throw new NoAnswer(this.tooLate(deadline));
      if (retry > 0) this.usage.retries++;
      const first = await this.attempt(text, deadline, signal);
      const isRenamed = typeof first === "object" && first.isRenamed;
      const outcome = isRenamed ? await this.attempt(text, deadline, signal) : first;
      if (typeof outcome === "string") return outcome;
      if (!outcome.again || retry >= this.settings.max_retries) throw new NoAnswer(outcome.reason);
      await this.wait(outcome, retry, deadline, signal);
    }
  }

  /** Waits for the request's turn; false when there is none before the deadline. */
  private async mayAsk(deadline: number, signal: Cancel | undefined): Promise<boolean> {
    const isOpen = () => deadline > this.givenUp.deadline;
    return isOpen() && (await this.pace.take(deadline, signal)) && isOpen();
  }

  private tooLate(deadline: number): string {
    return deadline > this.givenUp.deadline ? "the batch ran out of time" : this.givenUp.reason;
  }

  private async attempt(
    text: string,
    deadline: number,
    signal: Cancel | undefined,
  ): Promise<string | Failure> {
    this.usage.requests++;
    const { timeout } = this.settings;
    const timeoutMs = Math.max(1, Math.min(timeout * 1000, deadline - this.ports.now()));
    const wasRenamed = this.isLengthRenamed;
    try {
      const reply = await this.ports.post({ ...this.request(text), timeoutMs }, signal);
      if (reply.status === 200) return this.read(reply, text);
      const failure = this.refusal(reply, deadline);
      return wasRenamed ? failure : { ...failure, isRenamed: this.asksForRename(reply) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const message = error instanceof Error ? error.message : String(error);
      return { reason: `no reply: ${this.redact(message).slice(0, LONGEST_REASON)}`, again: true };
    }
  }

  /** Whether a reply rejects the name of the length. Later requests use the other one. */
  private asksForRename({ status, body }: HttpReply): boolean {
    const asks = status === 400 && this.provider.renamesLength?.(errorText(body)) === true;
    this.isLengthRenamed ||= asks;
    return asks;
  }

  private request(text: string) {
    const { base_url: base, model, temperature, max_tokens: maxTokens } = this.settings;
    const { provider, key, isLengthRenamed } = this;
    return {
      url: `${(base || provider.baseUrl).replace(/\/+$/, "")}${provider.path(model)}`,
      // Local endpoints need no key.
      headers: { "content-type": "application/json", ...(key && provider.headers(key)) },
      body: JSON.stringify(provider.body({ model, text, temperature, maxTokens, isLengthRenamed })),
    };
  }

  /** A truncated or malformed reply may be complete the next time. */
  private read({ body }: HttpReply, prompt: string): string | Failure {
    try {
      const reply: unknown = JSON.parse(body);
      const counts = this.provider.usage(reply);
      // Before the text is read: a reply without text is charged as well.
      this.count(counts);
      const text = this.provider.text(reply);
      this.count({
        input: counts.input == null ? estimate(prompt) : 0,
        output: counts.output == null ? estimate(text) : 0,
      });
      return text;
    } catch (error) {
      const what = error instanceof SyntaxError ? "is no JSON" : "has an unexpected form";
      return { reason: `the reply ${what}`, again: true };
    }
  }

  private count(counts: TokenCounts): void {
    const { input_price, output_price } = this.settings;
    const [input, output] = [counts.input ?? 0, counts.output ?? 0];
    this.usage.inputTokens += input;
    this.usage.outputTokens += output;
    this.usage.cost += (input * input_price + output * output_price) / 1e6;
  }

  /** Rate limits, conflicts and server errors pass; a wrong key or a wrong request does not. */
  private refusal(reply: HttpReply, deadline: number): Failure {
    if (reply.redirect !== undefined)
      return { reason: this.redact(redirected(reply.redirect)), again: false };
    const again = [408, 409, 429].includes(reply.status) || reply.status >= 500;
    const waitMs = retryAfterMs(reply.header("retry-after"), this.ports.now());
    if (again && waitMs !== null) this.hold(waitMs, deadline);
    const text = this.redact(errorText(reply.body)).slice(0, LONGEST_REASON);
    return { reason: `status ${reply.status}${text && `: ${text}`}`, again, waitMs };
  }

  /**
   * Holds all requests for `waitMs`. A longer wait than the batch has left ends the batch, not the judge: the next batch
   * asks again as long as at least half of its time is left.
   */
  private hold(waitMs: number, deadline: number): void {
    const now = this.ports.now();
    const isBeyond = now + waitMs >= deadline;
    this.pace.holdUntil(isBeyond ? (now + deadline) / 2 : now + waitMs);
    const reason = `the endpoint rejects requests for ${Math.ceil(waitMs / 1000)} s (Retry-After)`;
    if (isBeyond) this.givenUp = { deadline, reason };
  }

  private async wait(failure: Failure, retry: number, deadline: number, signal: Cancel | undefined) {
    const { now, sleep, random } = this.ports;
    const ms = Math.max(failure.waitMs ?? 0, backOff(retry, random()));
    if (now() + ms >= deadline) throw new NoAnswer(`${failure.reason}, and ${this.tooLate(deadline)}`);
    await sleep(ms, signal);
  }
}

/** Characters of an endpoint's message that are kept. */
const LONGEST_REASON = 200;

/** Redirects are not followed: the key and the claims go only to the configured address. */
const redirected = (to: string): string =>
  `the endpoint redirects${to && ` to ${to}`}, and redirects are not followed`;

/** The message of an error reply; empty when it has none. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } | string };
    const message = typeof error === "string" ? error : error?.message;
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}
