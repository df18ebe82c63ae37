// Lists of seeds are texts, such as 10001-10256. YAML reads a seed alone as a number.

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const SEEDS = ["seeds", "train_seeds", "val_seeds"];

/** Plain data of a configuration in which a number in place of seeds is a text: `val_seeds: 7` is one seed. */
export const withSeedTexts = (input: unknown): unknown =>
  changed(changed(input, "envs", inEach), "trainer", (trainer) =>
    changed(withTexts(trainer), "val_sets", inEach),
  );

/** The same with the value of a key changed, if there is one. */
const changed = (tree: unknown, key: string, change: (value: unknown) => unknown): unknown =>
  isTree(tree) && Object.hasOwn(tree, key) ? { ...tree, [key]: change(tree[key]) } : tree;

/** Entries by name. */
const inEach = (entries: unknown): unknown =>
  isTree(entries)
    ? Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, withTexts(entry)]))
    : entries;

const withTexts = (tree: unknown): unknown =>
  SEEDS.reduce(
    (before, key) => changed(before, key, (value) => (typeof value === "number" ? String(value) : value)),
    tree,
  );
