// Files of ProcTHOR houses: one house, a list of houses, or a line for each house as in ProcTHOR-10K.
import { EnvError } from "../../../core/errors.ts";
import { counted } from "../../../core/format.ts";
import { short, shown } from "../../../core/short.ts";
import type { Home } from "../home.ts";
import { isPlayable } from "../imported-tasks.ts";
import { compactHouse } from "./compact-house.ts";
import { importHouse } from "./import-house.ts";

/** Limits of all files that are read together. */
export const FILE_LIMITS = {
  characters: 2 ** 26,
  houses: 1000,
  /** Of the houses as they are kept. */
  kept: 2 ** 24,
} as const;

interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Houses as a run keeps them, and what became of the objects in their files. */
export interface HousesRead {
  /** The houses in order, one JSON object a line: again a file of houses. */
  readonly source: string;
  readonly houses: number;
  readonly rooms: number;
  /** One line for each kind of object that is not drawn as itself, and one for houses that are left out. */
  readonly notes: readonly string[];
}

/**
 * Reads files of houses and leaves out what cannot be played.
 * @throws EnvError("invalid_config") which names file, house, field, value and remedy; then nothing has been read.
 */
export function readHouses(files: readonly TextFile[]): HousesRead {
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > FILE_LIMITS.characters) throw tooLong(namesOf(files), characters);
  const found = files.flatMap((file) => housesIn(file));
  if (found.length > FILE_LIMITS.houses) throw tooMany(namesOf(files), found.length);
  const all = found.map(imported);
  const playable = all.filter(({ home }) => isPlayable(home));
  if (playable.length === 0) throw unplayable(namesOf(files));
  const source = playable.map(({ house }) => `${JSON.stringify(compactHouse(house))}\n`).join("");
  if (source.length > FILE_LIMITS.kept) throw tooLarge(namesOf(files), source.length);
  return {
    source,
    houses: playable.length,
    rooms: playable.reduce((sum, { home }) => sum + home.rooms.length, 0),
    notes: [
      ...leftOut(all.length - playable.length),
      ...notesOf(playable, "boxes", "drawn as boxes, never a target"),
      ...notesOf(playable, "inPassages", "left out: hung in a passage"),
      ...notesOf(playable, "ignored", "left out"),
    ],
  };
}

/** The homes of houses as they are kept. @throws EnvError("invalid_config") */
export function homesFrom(file: TextFile): Home[] {
  if (file.text.length > FILE_LIMITS.kept) throw tooLarge(file.name, file.text.length);
  const found = housesIn(file);
  if (found.length > FILE_LIMITS.houses) throw tooMany(file.name, found.length);
  return found.map((house) => imported(house).home);
}

/** A parsed house, and where it is from. */
interface Found {
  readonly data: unknown;
  readonly where: string;
}
type Imported = ReturnType<typeof importHouse>;

function imported({ data, where }: Found): Imported {
  try {
    return importHouse(data);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    throw invalid(`${where}: ${error.message}`, error.hint ?? "");
  }
}

function housesIn(file: TextFile): Found[] {
  const { name } = file;
  const text = file.text.replace(/^\uFEFF/, "");
  if (text.startsWith("\u001f"))
    throw invalid(
      `${name} is packed.`,
      "Unpack it: gunzip -c train.jsonl.gz | head -n 100 > houses.jsonl takes the first 100 houses.",
    );
  const whole = parsed(text);
  const list = whole === undefined ? linesOf(name, text) : [whole].flat(1);
  if (list.length === 0) throw invalid(`${name} holds no house.`, WANTED);
  return list.map((data, i) => ({ data, where: list.length > 1 ? `${name}, house ${i + 1}` : name }));
}

function linesOf(name: string, text: string): unknown[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const data = parsed(line);
    if (data !== undefined) return [data];
    throw invalid(
      `${name} is no JSON: line ${i + 1} begins with ${shown(line.trim().slice(0, 40))}.`,
      WANTED,
    );
  });
}

/** Undefined, which JSON does not have, for a text that is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const WANTED =
  "Give houses of ProcTHOR: a JSON file of one house or of a list of houses, or a file with a house on each line.";
const FEWER =
  "Give fewer houses: head -n 100 houses.jsonl > fewer.jsonl takes the first 100 of a file with lines.";

const invalid = (message: string, hint: string): EnvError => new EnvError("invalid_config", message, hint);
const namesOf = (files: readonly TextFile[]): string => short(files.map(({ name }) => name).join(", "));

const tooLong = (name: string, characters: number): EnvError =>
  invalid(
    `${name}: ${characters} characters are more than the ${FILE_LIMITS.characters} that are read.`,
    FEWER,
  );
const tooMany = (name: string, houses: number): EnvError =>
  invalid(`${name}: ${houses} houses are more than the ${FILE_LIMITS.houses} that are read.`, FEWER);
const tooLarge = (name: string, characters: number): EnvError =>
  invalid(
    `${name}: the houses take ${characters} characters, more than the ${FILE_LIMITS.kept} that a run keeps.`,
    FEWER,
  );
const unplayable = (name: string): EnvError =>
  invalid(
    `${name}: no object in the houses can be the target of a task.`,
    "Give houses with objects that are the only ones of their kind, such as a sofa, and free floor at least 2 m from one of them.",
  );

const leftOut = (count: number): string[] =>
  count > 0 ? [`${counted(count, "house")} left out: no object in it can be the target of a task`] : [];

/** Kinds that are named; a file may have thousands. */
const MOST_NOTES = 100;

/** A line for each kind that was counted, the most frequent first. */
function notesOf(
  houses: readonly Imported[],
  which: "boxes" | "inPassages" | "ignored",
  what: string,
): string[] {
  const counts = houses.flatMap((house) => [...house[which]]);
  const sums = new Map<string, number>();
  for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const others = sorted.length - MOST_NOTES;
  return [
    ...sorted.slice(0, MOST_NOTES).map(([kind, count]) => `${short(kind, 40)}: ${count}, ${what}`),
    ...(others > 0 ? [`${counted(others, "other kind")}, ${what}`] : []),
  ];
}
