// A file of VAGEN's as text: values, remarks above keys, and at the end what no key could say.
import { Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { OMEGACONF } from "./omegaconf.ts";
import type { Generation, Row } from "./row.ts";
import { type Setting, studioLine } from "./studio-lines.ts";
import { linesOf } from "./table.ts";

const HEADER = [
  " Written by VAGEN Studio. Lines that begin with '# studio:' are settings that VAGEN has no key for, or no such value:",
  " VAGEN skips them, the studio reads them back. Check model paths, batch sizes and learning rates before a run on a",
  " cluster: the studio's policies are small.",
].join("\n");

/** A file before it has comments. */
export interface Draft {
  name: string;
  tree: object;
  /** Whose comments go here. */
  holds: (path: string) => boolean;
  part: Row["part"];
}

/** Comments to stand above a key; asked once for each key, in the file's order. */
type Remarks = (key: string) => readonly string[];

/** The file with its comments; `lost` are the settings that no key of any file carries. */
export function renderVagen(draft: Draft, lost: readonly Setting[], generation: Generation): string {
  const document = new Document(draft.tree, OMEGACONF);
  const mine = new Set(lost.filter(({ path }) => draft.holds(path)));
  if (isMap(document.contents)) comment(document.contents, "", remarksFrom(draft.part, generation, mine));
  document.commentBefore = HEADER;
  // Those that found a key to stand above are gone by now.
  if (mine.size > 0) document.comment = [...mine].map(studioLine).join("\n");
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The table's note on a key, and the settings that the key should carry but cannot: those are taken out of `lost`. */
function remarksFrom(part: Row["part"], generation: Generation, lost: Set<Setting>): Remarks {
  const lines = linesOf({ part, generation }).filter(({ path }) => path !== undefined);
  return (key) => {
    const name = part === "trainer" ? key : key.replace(OPTIONS, "config.");
    const here = lines.filter((row) => row.key === name);
    const settings = [...lost].filter(({ path }) => here.some((row) => row.path === path));
    for (const setting of settings) lost.delete(setting);
    const note = here.find((row) => row.note)?.note;
    return [...(note ? [` ${note}`] : []), ...settings.map(studioLine)];
  };
}

/** Where options of an environment stand in the files. */
const OPTIONS = /^(env1\.env_config|envs\.0\.config)\./;

/** Comments above keys, lists on one line. */
function comment(map: YAMLMap, prefix: string, remarks: Remarks): void {
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const path = `${prefix}${key.value}`;
    const lines = remarks(path);
    if (lines.length > 0) key.commentBefore = lines.join("\n");
    if (isMap(value)) comment(value, `${path}.`, remarks);
    if (isSeq(value) && value.items.some(isMap)) commentEntries(value.items.filter(isMap), path, remarks);
    else if (isSeq(value)) value.flow = true;
  }
}

function commentEntries(entries: readonly YAMLMap[], path: string, remarks: Remarks): void {
  for (const [i, entry] of entries.entries()) comment(entry, `${path}.${i}.`, remarks);
}
