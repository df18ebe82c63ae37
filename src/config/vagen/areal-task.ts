// The task of an experiment of AReaL's, which its data set names.

import type { DatasetEntry } from "./parse/file.ts";
import type { Interpolated } from "./parse/interpolation.ts";

const PATH = "train_dataset.path";

/** Data sets of questions about pictures, and the kinds of questions of ours that are most alike. */
const PICTURES: readonly (readonly [name: RegExp, questions: readonly string[]])[] = [
  [/geometry3k/i, ["length", "longer", "perimeter", "area"]],
  [/clevr/i, ["count"]],
];

/** The data set as an entry, so that it is reported like one of VAGEN's; none where the files name none. */
export function arealEntry({ values }: Interpolated): DatasetEntry[] {
  const path = values.get(PATH);
  if (path === undefined) return [];
  const [, questions] = PICTURES.find(([name]) => name.test(String(path))) ?? [];
  const name = { key: "name", shown: PATH, value: questions ? "visual-math" : path };
  const options = questions ? [{ key: "config.questions", shown: PATH, value: questions }] : [];
  return [{ generation: "areal", split: "train", keys: [name, ...options] }];
}
