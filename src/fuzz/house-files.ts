// Files of ProcTHOR houses, as the page and the command line read them, and houses as runs keep them.
import type { Rng } from "../core/rng.ts";
import { config } from "../envs/navigation/config.ts";
import { Navigation } from "../envs/navigation/navigation.ts";
import { homesFrom, readHouses } from "../envs/navigation/procthor/read-houses.ts";
import { house } from "../envs/navigation/procthor/sample-house.ts";
import { promise, type Target } from "./fuzz.ts";
import { mutatedJson, mutatedText } from "./mutate.ts";

const WORDS = [
  ...[
    '"rooms":',
    '"x":',
    "1e308",
    "1e999",
    "-0",
    "NaN",
    "null",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\n",
    "\uFEFF",
    "\u001f",
  ],
  ...[
    '"Kitchen"',
    '"room|2"',
    '"wall|2|1"',
    '"id":"Sofa|3|0"',
    '"__proto__":',
    '"children":[',
    '"empty":true',
  ],
];

/** A house, a list of houses, or a line for each. */
function text(random: Rng): string {
  const houses = Array.from({ length: 1 + random.int(3) }, () => mutatedJson(random, house()));
  const written = random.pick([
    () => JSON.stringify(houses[0]),
    () => JSON.stringify(houses),
    () => houses.map((data) => JSON.stringify(data)).join("\n"),
  ])();
  return random.int(3) ? written : mutatedText(random, written, WORDS);
}

export const houseFiles: Target<string> = {
  name: "houses",
  make: text,
  read(input) {
    const { source, houses, notes } = readHouses([{ name: "houses.jsonl", text: input }]);
    promise(notes.join("\n").length < 100_000, "what is reported can be read");
    const homes = homesFrom({ name: "houses.jsonl", text: source });
    promise(homes.length === houses, "all houses are kept");
    promise(readHouses([{ name: "a", text: source }]).source === source, "what is kept is kept as it is");
    const env = new Navigation(config.parse({ homes: "imported", eval_set: "base_train" }), homes);
    for (const seed of [1, 90_001]) {
      env.reset(seed);
      promise(env.oracle() !== null, "a task can be solved");
      promise(env.render(8).width === 64, "a house can be drawn");
    }
  },
  show: (input) => input,
};
