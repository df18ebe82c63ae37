// The phrase books by environment id. A new environment becomes speakable for small policies with one line here.
import { registry } from "../../core/registry.ts";
import type { PhraseBook } from "./book.ts";
import { frozenlakeBook } from "./frozenlake.ts";
import { sokobanBook } from "./sokoban.ts";
import { visualMathBook } from "./visual-math.ts";

/** All phrase books. */
export const phraseBooks = registry<PhraseBook>("phrase book", frozenlakeBook, sokobanBook, visualMathBook);
