// YAML as Hydra loads it. OmegaConf uses PyYAML's loader, which implements YAML 1.1, with two changes: 1e-5 is a number, and
// nothing is a date. https://github.com/omry/omegaconf/blob/main/omegaconf/_utils.py (get_yaml_loader)
import type { DocumentOptions, ScalarTag, SchemaOptions } from "yaml";

const TAG = "tag:yaml.org,2002:";
const jsonOf = ({ value }: { value: unknown }): string => JSON.stringify(value);

/** YAML 1.1 also reads the letters y and n as booleans; PyYAML does not. */
const bool: ScalarTag = {
  tag: `${TAG}bool`,
  default: true,
  identify: (value) => typeof value === "boolean",
  test: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  resolve: (text) => /^(?:yes|true|on)$/i.test(text),
  stringify: jsonOf,
};

/** A leading 0 is octal, colons are base 60, underscores separate digits. */
const int: ScalarTag = {
  tag: `${TAG}int`,
  default: true,
  identify: (value) => Number.isInteger(value),
  test: /^[-+]?(?:0b[01_]+|0[0-7_]+|0x[\da-fA-F_]+|0|[1-9][\d_]*|[1-9][\d_]*(?::[0-5]?\d)+)$/,
  resolve: (text) => signed(text, wholeOf),
  stringify: jsonOf,
};

/** OmegaConf requires no point before an exponent; PyYAML reads .5 but not -.5. */
const float: ScalarTag = {
  tag: `${TAG}float`,
  default: true,
  identify: (value) => typeof value === "number",
  test: new RegExp(
    [
      String.raw`^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]?\d+)?`,
      String.raw`[-+]?\d[\d_]*[eE][-+]?\d+`,
      String.raw`\.\d[\d_]*(?:[eE][-+]\d+)?`,
      String.raw`[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*`,
      String.raw`[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`,
    ].join("|"),
  ),
  resolve: (text) => signed(text, realOf),
  stringify: jsonOf,
};

/** Options of the YAML library: scalars and merge keys as in Hydra. */
export const OMEGACONF: SchemaOptions & DocumentOptions = {
  schema: "failsafe",
  customTags: (tags) => [...tags, "null", bool, int, float],
  merge: true,
};

function signed(text: string, magnitude: (digits: string) => number): number {
  const value = magnitude(text.replace(/^[-+]/, "").replaceAll("_", ""));
  return text.startsWith("-") ? -value : value;
}

function wholeOf(digits: string): number {
  if (digits.includes(":")) return base60(digits);
  return /^0[0-7]/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
}

function realOf(digits: string): number {
  if (/^\.inf$/i.test(digits)) return Number.POSITIVE_INFINITY;
  return digits.includes(":") ? base60(digits) : Number(digits);
}

const base60 = (digits: string): number =>
  digits.split(":").reduce((value, place) => value * 60 + Number(place), 0);
