// Whether a judge may ask an endpoint, and with which key. Configurations, checkpoints and run folders come from anywhere:
// they say which endpoint and which variable they want, and a person on this machine decides.
import type { RunConfig } from "../config/run-config.ts";
import { isLoopback } from "../core/address.ts";
import { ConfigError } from "../core/errors.ts";
import { providers } from "../judge/llm/providers.ts";

/** The part of a configuration that says where a judge sends its requests. */
export type Wish = Pick<RunConfig["judge"], "provider" | "base_url" | "api_key_env">;

/** "no_key": the provider wants one. "not_named": the endpoint has not been named on this machine. */
type Decision = "ask" | "no_key" | "not_named";

/**
 * The one rule: an endpoint gets requests when a person has named it on this machine. An endpoint of this machine also gets
 * requests without a key.
 */
export function decide(wish: Wish, { key, isNamed }: { key: string; isNamed: boolean }): Decision {
  if (key === "" && wantsKey(wish)) return "no_key";
  return isNamed || (key === "" && isLoopback(wish.base_url)) ? "ask" : "not_named";
}

function wantsKey({ provider, base_url: url }: Wish): boolean {
  return addressOf({ provider, base_url: url }) === providers.get(provider).baseUrl;
}

/** The address that requests go to. */
export const addressOf = ({ provider, base_url: url }: Omit<Wish, "api_key_env">): string =>
  url || providers.get(provider).baseUrl;

/** Scheme, host and port as requests use them; the text itself where it is no address. */
export const originOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin : address;

/** What a person has given on the command line and in the environment. */
export interface Consent {
  /** Origins of endpoints that may be asked, with the key. */
  readonly origins: ReadonlySet<string>;
  /** The variable that holds the key; without one, the configuration may name one that is meant for it. */
  readonly keyVariable?: string;
  /** Asks the person a question; absent without a terminal. */
  confirm?(question: string): Promise<boolean>;
}

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that a configuration may name: they exist for this purpose only. */
const AGREED = /^((VAGEN_)?JUDGE_API_KEY|VAGEN_KEY_[A-Z0-9_]+)$/;

/** The key for an endpoint, empty for one that needs none. @throws ConfigError when it may not be asked, or wants a key. */
export async function consentedKey(wish: Wish, consent: Consent, env: Environment): Promise<string> {
  const variable = consent.keyVariable ?? wish.api_key_env;
  if (consent.keyVariable === undefined && variable !== "" && !AGREED.test(variable))
    throw notAgreed(variable);
  const key = sendable(env[variable] ?? "", variable);
  const origin = originOf(addressOf(wish));
  const decision = decide(wish, { key, isNamed: consent.origins.has(origin) });
  if (decision === "no_key") throw missingKey(wish.provider, variable);
  if (decision === "ask" || (await consent.confirm?.(question(origin, key && variable)))) return key;
  throw notNamed(origin, key && variable);
}

/** A header cannot carry every character, and the message of a failed request would quote the key. */
function sendable(value: string, variable: string): string {
  const key = value.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new ConfigError(
    "invalid_config",
    `The value of ${variable} is not a key: it has spaces, line breaks or characters outside ASCII.`,
    `Set ${variable} to the key alone.`,
  );
}

const question = (origin: string, variable: string): string =>
  `The configuration asks the judge at ${origin}. Send it claims and states${variable && `, with the key in ${variable}`}?`;

const notAgreed = (variable: string) =>
  new ConfigError(
    "invalid_config",
    `judge.api_key_env is ${JSON.stringify(variable)}; a configuration may name JUDGE_API_KEY, VAGEN_JUDGE_API_KEY or a variable that begins with VAGEN_KEY_.`,
    `Check that the judge is meant to get the value of ${variable}. If so, add --judge-key-env ${variable}.`,
  );

const missingKey = (provider: string, variable: string) =>
  new ConfigError(
    "invalid_config",
    `The judge needs a key for ${provider}, and ${variable === "" ? "judge.api_key_env is empty" : `${variable} is not set`}.`,
    `Set the environment variable ${variable || "JUDGE_API_KEY"}, name another with --judge-key-env, or give judge.base_url of an endpoint that wants no key.`,
  );

function notNamed(origin: string, variable: string): ConfigError {
  const withKey = variable && `, with the key in ${variable}`;
  return new ConfigError(
    "invalid_config",
    `The configuration asks the judge at ${origin}${withKey}; that endpoint has not been named on this machine.`,
    `If you trust it with claims and states${variable && ", and with the key"}, add --judge-url ${origin}, or set VAGEN_JUDGE_URLS=${origin}.`,
  );
}
