// The options and environment variables with which a user names the endpoint of a judge, and its key.
import { isPlainAddress, isVariableName, withoutCredentials } from "../core/address.ts";
import { providers } from "../judge/llm/providers.ts";
import { type Consent, originOf } from "../run/judge-consent.ts";
import { type Options, UsageError, type Values } from "./args.ts";
import type { Io } from "./io.ts";
import { overrides } from "./source.ts";

export const judgeOptions: Options = {
  "judge-url": {
    value: "<address>",
    help: "An endpoint that the judge may use, with its key; only its origin counts (docs/security.md). Can be repeated.",
    multiple: true,
  },
  "judge-key-env": {
    value: "<NAME>",
    help: "The environment variable that holds the key of the judge's endpoint.",
  },
};

/** Origins that the judge may use, separated by commas. */
const URLS = "VAGEN_JUDGE_URLS";

/** What the options and the environment allow; on a terminal, a question to the user can allow more. @throws UsageError */
export function consentOf(values: Values, { confirm }: Io, env: NodeJS.ProcessEnv = process.env): Consent {
  const inEnvironment = (env[URLS] ?? "").split(",").map((address) => address.trim());
  const { addresses, keyVariable } = named(values);
  const checked = [
    ...addresses.map((address) => assertAddress("--judge-url", address)),
    ...inEnvironment.filter(Boolean).map((address) => assertAddress(URLS, address)),
  ];
  return {
    origins: new Set(checked.map(originOf)),
    ...(keyVariable !== undefined && { keyVariable }),
    ...(confirm && { confirm }),
  };
}

/** Endpoints and variables that the options name, with --set too. */
function named(values: Values): { addresses: string[]; keyVariable: string | undefined } {
  const changes = overrides(values);
  const url = changes["judge.base_url"];
  const provider = providers.all.find(({ id }) => id === changes["judge.provider"]);
  const set = [typeof url === "string" ? url : "", provider?.baseUrl ?? ""].filter(Boolean);
  const [flag, inSet] = [values.text("judge-key-env"), changes["judge.api_key_env"]];
  if (flag !== undefined && (flag === "" || !isVariableName(flag))) throw noVariable();
  const keyVariable = flag ?? (typeof inSet === "string" ? inSet : undefined);
  return { addresses: [...values.list("judge-url"), ...set], keyVariable };
}

/** The value may be the key itself, so the message does not repeat it. */
const noVariable = () =>
  new UsageError(
    "--judge-key-env does not give the name of an environment variable.",
    "Name the variable that holds the key, in capitals: --judge-key-env VAGEN_KEY_OPENAI",
  );

function assertAddress(from: string, address: string): string {
  if (isPlainAddress(address) && URL.canParse(address)) return address;
  throw new UsageError(
    `${from} is ${JSON.stringify(withoutCredentials(address))}; expected an http or https address without credentials, query or fragment.`,
    "For example http://localhost:8000",
  );
}
