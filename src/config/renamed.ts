// Settings of older configurations that another one has replaced. Files, checkpoints and recordings with them keep their meaning.

interface Renamed {
  readonly path: string;
  /** The new setting's value; undefined for a value that the old one could not have, which the schema then refuses. */
  readonly read: (value: unknown) => unknown;
  /** What the old values are called now. */
  readonly note: string;
}

/** By the path of the old setting. */
const RENAMED: Readonly<Record<string, Renamed>> = {
  "trainer.concat_multi_turn": {
    path: "trainer.harness",
    read: (value) => (typeof value === "boolean" ? (value ? "concat" : "no_concat") : undefined),
    note: "true is concat, false is no_concat",
  },
};

/** What became of a setting; undefined for one that exists or never did. */
export const renamedSetting = (path: string): Renamed | undefined =>
  Object.hasOwn(RENAMED, path) ? RENAMED[path] : undefined;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Plain data of a configuration with the old settings under their new names. What contradicts the new setting stays as it is, for the
 * schema to refuse.
 */
export function withNewNames(input: unknown): unknown {
  return Object.entries(RENAMED).reduce(replaced, input);
}

function replaced(input: unknown, [old, { path, read }]: [string, Renamed]): unknown {
  const [section, from] = old.split(".") as [string, string];
  const to = path.split(".")[1] as string;
  const tree = isTree(input) ? input[section] : undefined;
  if (!isTree(input) || !isTree(tree) || !Object.hasOwn(tree, from)) return input;
  const value = read(tree[from]);
  if (value === undefined || (Object.hasOwn(tree, to) && tree[to] !== value)) return input;
  const { [from]: _, ...others } = tree;
  return { ...input, [section]: { ...others, [to]: value } };
}
