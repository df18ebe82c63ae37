// Remedies for a model that does not judge, by the reason in its verdicts.
import { type Message, message, setting } from "../../core/message.ts";

const REMEDIES: readonly (readonly [RegExp, Message])[] = [
  [
    /Retry-After/,
    message`The endpoint rejects requests for now: check the account's limits and credit, lower ${setting("judge.requests_per_minute")} or ${setting("judge.concurrency")}, or raise ${setting("judge.batch_timeout")} above the wait.`,
  ],
  [
    /the endpoint redirects/,
    message`Give the address that it redirects to as ${setting("judge.base_url")}, if you trust it: a key is never sent along with a redirect.`,
  ],
  [
    /\bstatus 400\b/,
    message`The endpoint rejects the request: check ${setting("judge.model")}, ${setting("judge.max_tokens")} and ${setting("judge.temperature")}; some models accept no temperature but 1.`,
  ],
  [
    /\bstatus 40[13]\b/,
    message`The endpoint refuses the key: check it, and that it may use ${setting("judge.model")}.`,
  ],
  [
    /\bstatus 404\b/,
    message`Nothing is there: check ${setting("judge.base_url")} and ${setting("judge.model")}.`,
  ],
  [
    /\bstatus 429\b/,
    message`Too many requests, or no credit: lower ${setting("judge.requests_per_minute")} or ${setting("judge.concurrency")}, or check the account.`,
  ],
  [/\bstatus 5\d\d\b/, "The endpoint itself is in trouble: wait a while, or use another."],
  [
    /nothing within|ran out of time/,
    message`Replies take too long: raise ${setting("judge.timeout")} and ${setting("judge.batch_timeout")}, or choose a faster model.`,
  ],
  [
    /does not allow requests from this page/,
    message`See that a server runs at ${setting("judge.base_url")}, that it allows requests from this page (CORS; OLLAMA_ORIGINS for Ollama, “Enable CORS” in LM Studio), and that the browser may reach the local network.`,
  ],
  [
    /no reply: it is longer/,
    message`${setting("judge.base_url")} does not lead to a model's endpoint: check the address.`,
  ],
  [
    /no reply/,
    message`See that a server runs at ${setting("judge.base_url")}, and that this machine can reach it.`,
  ],
  [
    /neither YES nor NO|holds no list|the reply (is no|has an)/,
    message`The model does not answer in the required form: choose another, or raise ${setting("judge.max_tokens")}.`,
  ],
  [
    /recording has no verdict/,
    "The recording is of another run: what is said differs. Use the seed and settings that it was made with, or another judge.",
  ],
];

/** The remedy for a missing verdict, by its reason. */
export function remedyFor(reason: string): Message {
  const found = REMEDIES.find(([pattern]) => pattern.test(reason));
  return found?.[1] ?? "Check key, address and limits of the judge.";
}
