// Comments of written files: notes above keys, and `# studio: path = value` for settings that VAGEN has no key for. VAGEN
// skips them, the import reads them back.
import { Document, isMap } from "yaml";
import { addComments, type CommentsOf } from "../yaml-comments.ts";
import type { Generation, KeyMapping } from "./key-mapping.ts";
import { OMEGACONF } from "./parse/omegaconf.ts";
import { parseValue } from "./parse/overrides.ts";
import { mappingsOf } from "./table.ts";

export interface Setting {
  path: string;
  value: unknown;
}

/** In findings, what precedes the path of a setting from a comment. */
export const STUDIO_PREFIX = "# studio: ";

const STUDIO_COMMENT = /^\s*#\s*studio:\s*([\w.]+)\s*=(.*)$/;

/** Every setting in the comments of a text. */
export function studioSettings(text: string): Setting[] {
  return text.split("\n").flatMap((line) => {
    const [, path, value] = STUDIO_COMMENT.exec(line) ?? [];
    return path ? [{ path, value: parseValue(value!) }] : [];
  });
}

const HEADER = [
  " Written by VAGEN Studio. Lines that begin with '# studio:' are settings that VAGEN has no key for, or no such value:",
  " VAGEN skips them, the studio reads them back. Check model paths, batch sizes and learning rates before a run on a",
  " cluster: the studio's policies are small.",
].join("\n");

/** A file before it has comments. */
export interface Draft {
  name: string;
  tree: object;
  /** Which settings' comments go into this file. */
  holds: (path: string) => boolean;
  part: KeyMapping["part"];
  /** Of a dataset's file: the environment of its first entry. */
  env?: string;
}

/** The text of a file with its comments; `lost` are the settings that no key of any file carries. */
export function renderVagen(draft: Draft, lost: readonly Setting[], generation: Generation): string {
  const document = new Document(draft.tree, OMEGACONF);
  const pending = new Set(lost.filter(({ path }) => draft.holds(path)));
  if (isMap(document.contents)) addComments(document.contents, "", commentsFrom(draft, generation, pending));
  document.commentBefore = HEADER;
  // No key carries what is still pending.
  if (pending.size > 0) document.comment = [...pending].map(studioComment).join("\n");
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The table's note on a key, and the settings that the key should carry but cannot; those are removed from `pending`. */
function commentsFrom({ part, env }: Draft, generation: Generation, pending: Set<Setting>): CommentsOf {
  const mappings = mappingsOf({ part, generation, env });
  return (key) => {
    const name = part === "trainer" ? key : key.replace(OPTIONS, "config.");
    const here = mappings.filter((mapping) => mapping.key === name);
    const settings = [...pending].filter(({ path }) => here.some((mapping) => mapping.path === path));
    for (const setting of settings) pending.delete(setting);
    const note = here.find((mapping) => mapping.note)?.note;
    return [...(note ? [` ${note}`] : []), ...settings.map(studioComment)];
  };
}

/** Without the `#`, which the YAML library adds. */
const studioComment = ({ path, value }: Setting): string => ` studio: ${path} = ${JSON.stringify(value)}`;

/** The sections with an environment's options. */
const OPTIONS = /^(env1\.env_config|envs\.0\.config)\./;
