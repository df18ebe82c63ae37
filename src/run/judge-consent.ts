// Whether a judge may send requests to an endpoint, and with which key. Configurations, checkpoints and run folders are
// untrusted: they name an endpoint and a variable, and a person on this machine decides.
import type { RunConfig } from "../config/run-config.ts";
import { isLoopback } from "../core/address.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { providers } from "../judge/llm/providers.ts";

/** The endpoint and key variable that a configuration requests for its judge. */
export type EndpointRequest = Pick<RunConfig["judge"], "provider" | "base_url" | "api_key_env">;

/** "no_key": the provider needs one. "not_named": the endpoint has not been named on this machine. */
type Decision = "ask" | "no_key" | "not_named";

/**
 * Requests go to an endpoint only if a person has named it on this machine. An endpoint of this machine also gets requests
 * without a key.
 */
export function decide(
  requested: EndpointRequest,
  { key, isNamed }: { key: string; isNamed: boolean },
): Decision {
  if (key === "" && needsKey(requested)) return "no_key";
  return isNamed || (key === "" && isLoopback(requested.base_url)) ? "ask" : "not_named";
}

function needsKey({ provider, base_url: url }: EndpointRequest): boolean {
  return addressOf({ provider, base_url: url }) === providers.get(provider).baseUrl;
}

/** The address that requests go to. */
export const addressOf = ({ provider, base_url: url }: Omit<EndpointRequest, "api_key_env">): string =>
  url || providers.get(provider).baseUrl;

/** Scheme, host and port of an address; the text itself if it is not an address. */
export const originOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin : address;

/** The consent that a person has given on the command line and in the environment. */
export interface Consent {
  /** Origins of endpoints that may get requests and the key. */
  readonly origins: ReadonlySet<string>;
  /** The variable that holds the key; if absent, the configuration may name one of those reserved for it. */
  readonly keyVariable?: string;
  /** Asks the person a question; absent without a terminal. */
  confirm?(question: string): Promise<boolean>;
}

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The variables reserved for judges, which a configuration may name. */
const RESERVED = /^((VAGEN_)?JUDGE_API_KEY|VAGEN_KEY_[A-Z0-9_]+)$/;

/** The key for an endpoint, empty if it needs none. @throws ConfigError if the endpoint is not allowed, or needs a key. */
export async function consentedKey(
  requested: EndpointRequest,
  consent: Consent,
  env: Environment,
): Promise<string> {
  const variable = consent.keyVariable ?? requested.api_key_env;
  if (consent.keyVariable === undefined && variable !== "" && !RESERVED.test(variable))
    throw notReserved(variable);
  const key = sendable(env[variable] ?? "", variable);
  const origin = originOf(addressOf(requested));
  const decision = decide(requested, { key, isNamed: consent.origins.has(origin) });
  if (decision === "no_key") throw missingKey(requested.provider, variable);
  if (decision === "ask" || (await consent.confirm?.(question(origin, key && variable)))) return key;
  throw notNamed(origin, key && variable);
}

/** Rejects characters that a header cannot contain; the error of the failed request would quote the key. */
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

const notReserved = (variable: string) =>
  new ConfigError(
    "invalid_config",
    message`${setting("judge.api_key_env")} is ${JSON.stringify(variable)}; a configuration may name JUDGE_API_KEY, VAGEN_JUDGE_API_KEY or a variable that begins with VAGEN_KEY_.`,
    `Check that the judge is meant to get the value of ${variable}. If so, add --judge-key-env ${variable}.`,
  );

const missingKey = (provider: string, variable: string) =>
  new ConfigError(
    "invalid_config",
    message`The judge needs a key for ${provider}, and ${variable || setting("judge.api_key_env")} is ${variable ? "not set" : "empty"}.`,
    message`Set the environment variable ${variable || "JUDGE_API_KEY"}, name another with --judge-key-env, or set ${setting("judge.base_url")} to an endpoint that needs no key.`,
  );

function notNamed(origin: string, variable: string): ConfigError {
  const withKey = variable && `, with the key in ${variable}`;
  return new ConfigError(
    "invalid_config",
    `The configuration asks the judge at ${origin}${withKey}; that endpoint has not been named on this machine.`,
    `If you trust it with claims and states${variable && ", and with the key"}, add --judge-url ${origin}, or set VAGEN_JUDGE_URLS=${origin}.`,
  );
}
