// `${oc.env:NAME,default}`: OmegaConf's reference to a variable of the process. An import has no process, so it takes the default.
import { parseValue } from "./overrides.ts";

const VARIABLE = /\$\{oc\.env:[A-Za-z_]\w*,([^${}]*)\}/g;
const ONLY_A_VARIABLE = new RegExp(`^${VARIABLE.source}$`);

/** A value with the defaults of its variables. One without a default stays as it is written. */
export function withDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDefaults);
  if (typeof value !== "string") return value;
  const [, only] = ONLY_A_VARIABLE.exec(value) ?? [];
  if (only !== undefined) return parseValue(only);
  return value.replace(VARIABLE, (_, preset: string) => preset);
}
