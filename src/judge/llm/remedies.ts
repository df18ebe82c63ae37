// Remedies for a model that does not judge, by the reason in its verdicts.

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /Retry-After/,
    "The endpoint rejects requests for now: check the account's limits and credit, lower judge.requests_per_minute or judge.concurrency, or raise judge.batch_timeout above the wait.",
  ],
  [
    /the endpoint redirects/,
    "Give the address that it redirects to as judge.base_url, if you trust it: a key is never sent along with a redirect.",
  ],
  [/\bstatus 40[13]\b/, "The endpoint refuses the key: check it, and that it may use judge.model."],
  [/\bstatus 404\b/, "Nothing is there: check judge.base_url and judge.model."],
  [
    /\bstatus 429\b/,
    "Too many requests, or no credit: lower judge.requests_per_minute or judge.concurrency, or check the account.",
  ],
  [/\bstatus 5\d\d\b/, "The endpoint itself is in trouble: wait a little, or use another."],
  [
    /nothing within|ran out of time/,
    "Replies take too long: raise judge.timeout and judge.batch_timeout, or choose a faster model.",
  ],
  [
    /does not let pages of this address ask it/,
    "See that a server runs at judge.base_url, that it allows pages of this address (CORS; OLLAMA_ORIGINS for Ollama, “Enable CORS” in LM Studio), and that the browser may reach the local network.",
  ],
  [/no reply: it is longer/, "There is no model endpoint at judge.base_url: check the address."],
  [/no reply/, "See that a server runs at judge.base_url, and that this machine can reach it."],
  [
    /neither YES nor NO|holds no list|the reply (is no|has an)/,
    "The model does not answer in the required form: choose another, or raise judge.max_tokens.",
  ],
  [
    /recording has no verdict/,
    "The recording is of another run: what is said differs. Use the seed and settings that it was made with, or another judge.",
  ],
];

/** The remedy for a missing verdict, by its reason. */
export function remedyFor(reason: string): string {
  const found = REMEDIES.find(([pattern]) => pattern.test(reason));
  return found?.[1] ?? "Check key, address and limits of the judge.";
}
