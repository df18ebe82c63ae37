// The layout of written YAML: comments above keys, and lists of plain values on one line.
import { isMap, isScalar, isSeq, type YAMLMap } from "yaml";

/** The comments above a key, one a line. It is called once for each key, in the file's order. */
export type CommentsOf = (path: string) => readonly string[];

/** Lays out a map and everything in it; `prefix` is the path of the map with a dot behind it. */
export function addComments(map: YAMLMap, prefix: string, commentsOf: CommentsOf): void {
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const path = `${prefix}${key.value}`;
    const comments = commentsOf(path);
    if (comments.length > 0) key.commentBefore = comments.join("\n");
    if (isMap(value)) addComments(value, `${path}.`, commentsOf);
    if (!isSeq(value)) continue;
    const entries = value.items.filter(isMap);
    if (entries.length === 0) value.flow = true;
    for (const [i, entry] of entries.entries()) addComments(entry, `${path}.${i}.`, commentsOf);
  }
}
