// Configuration files, read as the command line and the page do.
import { presets } from "../config/presets.ts";
import { isVagenConfig } from "../config/vagen/parse/file.ts";
import { formatRunConfig, parseRunConfig } from "../config/yaml.ts";
import { promise, type Target } from "./fuzz.ts";
import { mutatedText } from "./mutate.ts";

/** What YAML means something by, and what the schema does. */
export const YAML_WORDS = [
  "? ",
  ": ",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "&a ",
  "*a ",
  "<<: *a",
  "|\n",
  ">\n",
  "---\n",
  "...\n",
  "%YAML 1.1\n",
  "!!binary ",
  "!!js/function ",
  "!!float ",
  '"',
  "'",
  "#",
  "\t",
  "\n",
  "\r\n",
  "  ",
  ",",
  "key: 1\n",
  "some_key: {a: [1, 2]}\n",
  "__proto__: {polluted: true}\n",
  "constructor: {prototype: {polluted: true}}\n",
  "toString: 1\n",
  "null",
  "~",
  ".nan",
  "-.inf",
  "1e999",
  "0x7fffffffffffffff",
  "true",
  "frozenlake",
  "env: { name: sokoban, config: { dim_room: [9, 9] } }\n",
  "\ufeff",
  "\u0000",
];

const bases = presets.all.flatMap(({ config }) => [
  formatRunConfig(config),
  formatRunConfig(config, { all: true, comments: true }),
]);

export const configs: Target<string> = {
  name: "configs",
  make: (random) => mutatedText(random, random.pick(bases), YAML_WORDS),
  read(text) {
    isVagenConfig(text);
    const config = parseRunConfig(text);
    promise(!("polluted" in {}), "no prototype is changed");
    const again = parseRunConfig(formatRunConfig(config, { all: true }));
    promise(JSON.stringify(again) === JSON.stringify(config), "what is accepted is written and read back");
  },
  show: (text) => text,
};
