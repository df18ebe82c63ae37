// Environments of users: what a module declares, and what its functions return.
import { demonstrationBatch } from "../agent/players.ts";
import { checkedRunConfig } from "../config/check.ts";
import { ExtensionError } from "../core/errors.ts";
import { type Rng, rng } from "../core/rng.ts";
import type { LoadedModule } from "../extension/api.ts";
import { idsOf, type Registered, replaceExtensions, tried } from "../extension/index.ts";
import { judgeTurns } from "../judge/judge.ts";
import { ruleJudge } from "../judge/rule.ts";
import { buildTask } from "../run/task.ts";
import { promise, type Target } from "./fuzz.ts";
import { mutatedJson } from "./mutate.ts";
import { games, type OwnFunction } from "./sample-games.ts";

interface Module {
  /** The environment that is changed. */
  game: keyof typeof games;
  declared: unknown;
  /** The function that returns something else than it should, and the numbers that decide what; null: all are right. */
  faulty: { of: string; seed: number } | null;
}

/** Words that a language may have already, or may not keep apart from others. */
const TRICKY = [
  ..."player pad at is row col same up left and not no free edge wall turn think answer constructor then".split(
    " ",
  ),
  ..."N x y 1 10 -1 a A go it's e-mail é 😀 | , ; . (".split(" "),
  ...["so move", "so go", "a b", " ", "go(x, 1)", "walk to the pad player at"],
];

/** A copy in which some texts or names of things are others. */
function withOtherWords(random: Rng, declared: object): unknown {
  const texts = [...JSON.stringify(declared).matchAll(/"((?:[^"\\]|\\.)*)"/g)];
  const chosen = random.shuffle(texts).slice(0, 1 + random.int(3));
  let text = JSON.stringify(declared);
  for (const { index, 0: old } of chosen.sort((a, b) => b.index - a.index))
    text = text.slice(0, index) + JSON.stringify(random.pick(TRICKY)) + text.slice(index + old.length);
  return JSON.parse(text);
}

export const extensions: Target<Module> = {
  name: "extensions",
  make(random) {
    const game = random.pick(Object.keys(games) as (keyof typeof games)[]);
    const { declared, functions } = games[game];
    const isDeclared = random.int(2) === 0;
    return {
      game,
      declared: isDeclared ? random.pick([withOtherWords, mutatedJson])(random, declared) : declared,
      faulty: isDeclared ? null : { of: random.pick(Object.keys(functions)), seed: random.int(2 ** 31) },
    };
  },
  async read(input) {
    const module = { name: "mine", factory: factoryOf(input) };
    try {
      const { reports } = tried(module);
      const lines = reports.flatMap((report) => report.lines);
      assertReadable([
        ...reports.map(({ title }) => title),
        ...lines.flatMap((line) => [line.check, line.found]),
      ]);
      if (lines.every(({ outcome }) => outcome === "passed")) await assertTaught(module);
    } catch (error) {
      if (error instanceof ExtensionError) assertReadable([error.message, error.hint ?? ""]);
      throw error;
    }
  },
  show: (input) => JSON.stringify(input),
};

const factoryOf =
  ({ game, declared, faulty }: Module) =>
  ({ environment }: { environment(own: unknown): void }) => {
    const functions = Object.entries(games[game].functions).map(([name, right]) => [
      name,
      faulty?.of === name ? wrong(right, faulty.seed) : right,
    ]);
    environment(isObject(declared) ? { ...Object.fromEntries(functions), ...declared } : declared);
  };

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The function with a result that is changed in some calls, in equal calls equally. */
const wrong =
  (right: OwnFunction, seed: number): OwnFunction =>
  (...given) => {
    const result = right(...given);
    const random = rng(seed).fork(JSON.stringify(given.slice(0, 2)));
    return seed % 3 > 0 && random.int(3) > 0 ? result : mutatedJson(random, result);
  };

/** What functions throw when they receive a state that another one should not have returned. */
const OF_FUNCTION = /failed[^:]*: TypeError: [^.]*/g;

/** What demonstrations of a right environment say has words, is written in the right form, and is judged right. */
async function assertTaught(module: LoadedModule): Promise<void> {
  const [{ provides }] = replaceExtensions([{ ...module, checked: true }]) as [Registered];
  try {
    const task = buildTask(checkedRunConfig({ env: { name: idsOf("environment", provides)[0] } }));
    const episodes = [0, 1].map((seed) => ({ id: `${seed}`, seed, groupId: `${seed}`, rngKey: seed }));
    const skill = { randomFraction: 0.3, expertFraction: 1 };
    for (const { turns } of await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 })) {
      const names = ["player", ...task.spec.claims];
      const verdicts = await judgeTurns(ruleJudge, turns, { observation: names, prediction: names });
      for (const [i, { reply, parsed }] of turns.entries()) {
        const surfaces = [...task.vocabulary.encode(reply)].map((token) => task.vocabulary.surface(token));
        promise(surfaces.join("") === reply, `words for ${JSON.stringify(reply)}`);
        promise(parsed.formatOk, `the form of ${JSON.stringify(reply)}`);
        const isRight = Object.values(verdicts[i]!).every(({ score }) => score === 1);
        promise(isRight, `${JSON.stringify(reply)} is judged right: ${JSON.stringify(verdicts[i])}`);
      }
    }
  } finally {
    replaceExtensions([]);
  }
}

function assertReadable(texts: readonly string[]): void {
  for (const text of texts.map((one) => one.replace(OF_FUNCTION, ""))) {
    promise(text.length < 2000, `a message of ${text.length} characters`);
    promise(!/undefined|\[object |TypeError|RangeError/.test(text), `a message that says: ${text}`);
  }
}
