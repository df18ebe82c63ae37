// Keys of services: reports of an import, on the page and in a terminal, never show them.
import { isTree } from "../../changes.ts";
import type { KeyValue } from "./overrides.ts";

/** Last parts of the names of keys with a secret, such as `config.token` and `backends.openai.api_key`; `lambda_token` is a number. */
const SECRET = /(^|[._])((?<!lambda_)token|api_?key|password|secret)$/i;

/** What is shown in its place. */
const HIDDEN = "(hidden)";

/** A key with its secrets replaced, also in lists and sections of its value. */
export const withoutSecrets = <T extends KeyValue>(found: T): T => ({
  ...found,
  value: concealed(found.key, found.value),
});

function concealed(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => concealed(key, item));
  if (isTree(value))
    return Object.fromEntries(
      Object.entries(value).map(([inner, below]) => [inner, concealed(inner, below)] as const),
    );
  return SECRET.test(key) && value !== null ? HIDDEN : value;
}
