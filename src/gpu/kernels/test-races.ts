// Test helper: finds data races between the invocations of a workgroup in WGSL text. Imported by tests only.
//
// It walks the text from `main`, follows calls, and runs every loop twice. Two accesses to one place, one of them a write, must have a
// barrier of the right address space between them, unless one invocation makes both: at an index that depends on the invocation and
// is written the same way (loop variables by their range), or inside `if (lane == 0u …)` or after `if (lane != 0u) { return; }`.
// Places whose indices differ in a number, such as the halves of double buffering, are different places: a loop over the halves is
// walked with each number.
// Accesses of one statement are not compared, because a tree reduction reads what others do not write.

interface Access {
  readonly name: string;
  readonly index: string;
  readonly isWrite: boolean;
  /** Only one invocation gets here. */
  readonly single: boolean;
  readonly statement: number;
}

interface Walk {
  readonly functions: ReadonlyMap<string, string>;
  readonly shared: ReadonlyMap<string, "workgroup" | "storage">;
  readonly varying: ReadonlySet<string>;
  /** Ranges of the loop variables around. */
  readonly ranges: Map<string, string>;
  readonly open: Access[];
  readonly found: Set<string>;
  statement: number;
  single: boolean;
}

const SEEDS = ["lane", "local", "id", "index"];
const ASSIGNS = /^\s*(?:\.\w+)*\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)/;
const WORD = /[A-Za-z_]\w*/g;
const HALVES = /^var half = 0u; half < 2u;/;
/** The half that is not multiplied, by the number of the one that is. */
const OTHER_HALF: Readonly<Record<string, string>> = { "[1u - 0u]": "[1u]", "[1u - 1u]": "[0u]" };

/** Position after the bracket that closes the one at `at`. */
function closing(text: string, at: number): number {
  const open = text[at] as string;
  const close = { "(": ")", "[": "]", "{": "}" }[open] as string;
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === open) depth++;
    if (text[i] === close && --depth === 0) return i + 1;
  }
  return text.length;
}

function functionsOf(code: string): Map<string, string> {
  const heads = [...code.matchAll(/\bfn (\w+)\(/g)];
  return new Map(
    heads.map(({ 0: head, 1: name = "", index }) => {
      const parameters = closing(code, index + head.length - 1);
      const begin = code.indexOf("{", parameters);
      return [name, code.slice(begin + 1, closing(code, begin) - 1)];
    }),
  );
}

/** Names whose values differ between the invocations of a workgroup. */
function varyingIn(code: string, functions: ReadonlyMap<string, string>): Set<string> {
  const varying = new Set(SEEDS);
  const differs = (text: string) => (text.match(WORD) ?? []).some((word) => varying.has(word));
  for (let before = 0; before < varying.size; ) {
    before = varying.size;
    for (const [, name = "", value = ""] of code.matchAll(/\b(?:let|var) (\w+)(?::[^=;]*)? = ([^;]*);/g))
      if (differs(value)) varying.add(name);
    for (const name of functions.keys()) {
      const parameters = new RegExp(`\\bfn ${name}\\(([^)]*)\\)`).exec(code)?.[1] ?? "";
      const call = new RegExp(`(?<!fn )\\b${name}\\(`).exec(code);
      if (!call || name === "main") continue;
      const from = call.index + call[0].length;
      const values = code.slice(from, closing(code, from - 1) - 1).split(",");
      parameters.split(",").forEach((parameter, i) => {
        const [own = ""] = parameter.trim().split(":");
        if (own && differs(values[i] ?? "")) varying.add(own);
      });
    }
  }
  return varying;
}

/** Races of a kernel, as `name[index] and name[index]`; none when there is no barrier and no workgroup memory to guard. */
export function racesIn(source: string): string[] {
  const code = source.replace(/\/\/.*/g, "");
  const declared = /var<(workgroup|storage, read_write)>\s*(\w+)/g;
  const shared = new Map(
    [...code.matchAll(declared)].map(([, space = "", name = ""]) => [
      name,
      space === "workgroup" ? ("workgroup" as const) : ("storage" as const),
    ]),
  );
  const functions = functionsOf(code);
  const varying = varyingIn(code, functions);
  const state = { ranges: new Map(), open: [], found: new Set<string>(), statement: 0, single: false };
  const walk: Walk = { functions, shared, varying, ...state };
  block(walk, functions.get("main") ?? "");
  return [...walk.found];
}

/** Walks the statements of a block. */
function block(walk: Walk, text: string): void {
  const before = walk.single;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const head = /^\s*(for|while|if|else)\b\s*/.exec(rest);
    if (head) at += construct(walk, rest, head[1] as string, head[0].length);
    else at += statement(walk, rest);
  }
  walk.single = before;
}

/** Walks a loop or a branch at the beginning of `text`; returns its length. */
function construct(walk: Walk, text: string, word: string, headLength: number): number {
  let at = headLength;
  let header = "";
  if (text[at] === "(") {
    const end = closing(text, at);
    header = text.slice(at + 1, end - 1);
    at = end;
  }
  const begin = text.indexOf("{", at);
  if (word === "else" && /^\s*if\b/.test(text.slice(headLength))) return headLength;
  const end = closing(text, begin);
  const body = text.slice(begin + 1, end - 1);
  if (word === "for") loop(walk, header, body);
  else if (word === "while") for (const half of [header, body, header, body]) block(walk, half);
  else branch(walk, header, body);
  return end;
}

function loop(walk: Walk, header: string, body: string): void {
  const [init = "", condition = "", step = ""] = header.split(";");
  const [, name = "", value = ""] = /var (\w+) = (.*)/.exec(init) ?? [];
  const outer = walk.ranges.get(name);
  expression(walk, init);
  const ranges = HALVES.test(header) ? ["0u", "1u"] : Array(2).fill(`{${resolved(walk, value)} ${step}}`);
  for (const range of ranges) {
    if (name) walk.ranges.set(name, range);
    for (const part of [condition, body, step]) block(walk, part);
  }
  if (outer !== undefined) walk.ranges.set(name, outer);
  else walk.ranges.delete(name);
}

function branch(walk: Walk, condition: string, body: string): void {
  block(walk, condition);
  const before = walk.single;
  if (/\blane == 0u/.test(condition)) walk.single = true;
  block(walk, body);
  walk.single = before;
  if (/\blane != 0u/.test(condition) && /\breturn;/.test(body)) walk.single = true;
}

/** Walks up to the next semicolon; returns the length of the statement. */
function statement(walk: Walk, text: string): number {
  const end = text.indexOf(";");
  const whole = end < 0 ? text : text.slice(0, end);
  walk.statement++;
  expression(walk, whole);
  return whole.length + 1;
}

const resolved = (walk: Walk, text: string): string =>
  text
    .replace(WORD, (word) => walk.ranges.get(word) ?? word)
    .replace(/\s+/g, " ")
    .replace(/^\[1u - [01]u\]/, (other) => OTHER_HALF[other] as string);

/** Walks calls, barriers and accesses of an expression or assignment. */
function expression(walk: Walk, text: string): void {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const after = index + word.length;
    // The load of a uniform value has a barrier before and one after it.
    if (text[index - 1] === "." || text.slice(0, index).endsWith("workgroupUniformLoad(&")) continue;
    if (word === "workgroupBarrier" || word === "workgroupUniformLoad") barrier(walk, "workgroup");
    else if (word === "storageBarrier") barrier(walk, "storage");
    else if (text[after] === "(" && walk.functions.has(word)) call(walk, word);
    else if (walk.shared.has(word)) access(walk, word, text, after);
  }
}

function call(walk: Walk, name: string): void {
  const before = walk.statement;
  block(walk, walk.functions.get(name) as string);
  if (walk.statement === before) walk.statement++;
}

function barrier(walk: Walk, space: "workgroup" | "storage"): void {
  const kept = walk.open.filter(({ name }) => walk.shared.get(name) !== space);
  walk.open.splice(0, walk.open.length, ...kept);
}

function access(walk: Walk, name: string, text: string, after: number): void {
  let end = after;
  while (text[end] === "[") end = closing(text, end);
  const index = resolved(walk, text.slice(after, end));
  const isWrite = ASSIGNS.test(text.slice(end)) || /^\s*(\+\+|--)/.test(text.slice(end));
  const mine = { name, index, isWrite, single: walk.single, statement: walk.statement };
  for (const other of walk.open)
    if (isRace(walk, mine, other)) walk.found.add(`${name}${other.index} and ${name}${index}`);
  walk.open.push(mine);
}

function isRace({ varying }: Walk, a: Access, b: Access): boolean {
  if (a.name !== b.name || a.statement === b.statement || !(a.isWrite || b.isWrite)) return false;
  if (a.single && b.single) return false;
  const [mine, others] = [numbersOf(a), numbersOf(b)];
  if (mine.some((number, i) => number && others[i] && number !== others[i])) return false;
  // Of an array in two parts, an invocation writes the same place of both.
  const isSame = a.isWrite && b.isWrite ? placeOf(a) === placeOf(b) : a.index === b.index;
  const isOwn = isSame && (a.index.match(WORD) ?? []).some((word) => varying.has(word));
  return !isOwn;
}

/** The indices of an access, each as a number, or "" if it is not one. */
function numbersOf({ index }: Access): string[] {
  const numbers: string[] = [];
  for (let at = 0; index[at] === "["; at = closing(index, at))
    numbers.push(/^\[(\d+)u?\]$/.exec(index.slice(at, closing(index, at)))?.[1] ?? "");
  return numbers;
}

/** The index without an offset of constants and uniforms. */
const placeOf = ({ index }: Access): string => index.replace(/^\[(?:shape\.\w+|[A-Z0-9_u* ])+ \+ /, "[");
