// Messages are written for the command line and for files: they name settings by path and choices by id. The page has titles
// for both.
import { type ConfigField, optionTitle } from "../../config/describe.ts";
import { envs } from "../../envs/index.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";
import { fieldsFor } from "./fields.ts";

/** A dotted path, a quoted word, or a bare id. */
const NAMES = /[a-z]+(?:\.[a-z_]\w*)+|"[\w-]+"|[A-Za-z]+(?:[_-]\w+)*/g;

/** Words of prose that are also ids, and what the page calls them. */
const SPOKEN: Readonly<Record<string, string>> = {
  "areal workflow": "AReaL workflow",
  "llm judge": "language model",
};

/**
 * A message in the words of the form: titles in place of the paths of its settings and the ids of their choices. `at` is the
 * setting that the message is about, whose choices it may name before any path.
 */
export function inFormWords(text: string, envId: string, at = ""): string {
  const fields = fieldsFor(envId);
  const titles = new Map(fields.map((field) => [field.path, field.title]));
  let near = at;
  const named = text.replaceAll(NAMES, (name) => {
    // A path of one part, such as seed, is also a word.
    const title = name.includes(".") ? titles.get(name) : undefined;
    if (title !== undefined) {
      near = name;
      return `“${title}”`;
    }
    if (name.startsWith('"')) return quoted(name.slice(1, -1), near, fields);
    const said = bareTitle(name) ?? name;
    return said.includes(",") ? `“${said}”` : said;
  });
  const spoken = Object.entries(SPOKEN).reduce((said, [id, word]) => said.replaceAll(id, word), named);
  return spoken.replaceAll(
    /(“[^”]+” is )(true|false)\b/g,
    (_, is, value) => is + (value === "true" ? "on" : "off"),
  );
}

/** A quoted id in the title of the setting that was named last. */
function quoted(id: string, near: string, fields: readonly ConfigField[]): string {
  const field = fields.find(({ path }) => path === near);
  return `“${field?.options?.includes(id) ? optionTitle(near, id) : id}”`;
}

/** Ids that no sentence would hold as words: those of a list with an underscore, and tasks. */
function bareTitle(id: string): string | undefined {
  const listed = [...envs.all, ...estimators.all, ...filters.all].find((known) => known.id === id);
  if (listed && (/[_-]/.test(id) || envs.ids.includes(id) || estimators.ids.includes(id)))
    return listed.title;
  const [path] = id.includes("_") ? FORMATS.filter((known) => optionsOf(known).includes(id)) : [];
  return path && optionTitle(path, id);
}

const FORMATS = ["rollout.prompt_format", "reward.judge_scoring"];
const optionsOf = (path: string): readonly string[] =>
  fieldsFor("").find((field) => field.path === path)?.options ?? [];
