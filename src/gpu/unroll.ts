// Expands loops marked `// unroll` in WGSL text. The shader files stay plain WGSL that means the same without it; the
// expansion exists because software adapters keep dynamically indexed private arrays in memory (7 times slower for a
// matrix product, docs/log.md), and because real drivers then surely keep them in registers.

const LOOP = /for \(var (\w+) = 0u; \1 < (\w+); \1\+\+\) \{ \/\/ unroll/;
const REGISTERS = /var (\w+): array<([\w<>]+), ([^>;]+)>; \/\/ registers/;

/** Index of the brace that closes the one at `open`. */
function closingBrace(code: string, open: number): number {
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === "{") depth++;
    if (code[i] === "}" && --depth === 0) return i;
  }
  throw new Error("unroll: a marked loop is not closed");
}

/** Value of a sum of products of unsigned literals such as `3u * 4u + 1u`; null when anything else occurs. */
function evaluate(expression: string): number | null {
  if (!/^[\du+*\s]+$/.test(expression)) return null;
  const product = (term: string) =>
    term.split("*").reduce((p, f) => p * Number(f.trim().replace(/u$/, "")), 1);
  return expression.split("+").reduce((sum, term) => sum + product(term), 0);
}

function withConstants(expression: string, constants: ReadonlyMap<string, number>): string {
  return expression.replace(/[A-Z][A-Z0-9_]*/g, (name) =>
    constants.has(name) ? `${constants.get(name)}u` : name,
  );
}

function expandLoops(source: string, constants: ReadonlyMap<string, number>): string {
  let code = source;
  for (let match = LOOP.exec(code); match; match = LOOP.exec(code)) {
    const [head, variable, bound] = match as unknown as [string, string, string];
    const count = evaluate(withConstants(bound, constants));
    if (count === null) throw new Error(`unroll: the bound ${bound} is not a constant`);
    const open = code.indexOf("{", match.index + head.length - "{ // unroll".length);
    const close = closingBrace(code, open);
    const body = code.slice(open + "{ // unroll".length, close);
    const name = new RegExp(`\\b${variable}\\b`, "g");
    const copies = Array.from({ length: count }, (_, i) => `{${body.replace(name, `${i}u`)}}`);
    code = code.slice(0, match.index) + copies.join("\n") + code.slice(close + 1);
  }
  return code;
}

/** Turns arrays marked `// registers` into named variables; every index must be constant by now. */
function nameRegisters(source: string, constants: ReadonlyMap<string, number>): string {
  let code = source;
  for (let match = REGISTERS.exec(code); match; match = REGISTERS.exec(code)) {
    const [line, array, type, size] = match as unknown as [string, string, string, string];
    const count = evaluate(withConstants(size, constants));
    if (count === null) throw new Error(`unroll: the size ${size} of ${array} is not a constant`);
    const names = Array.from({ length: count }, (_, i) => `var ${array}_${i}: ${type};`);
    code = code.replace(line, names.join(" "));
    code = code.replace(new RegExp(`\\b${array}\\[([^\\]]+)\\]`, "g"), (_, index: string) => {
      const at = evaluate(withConstants(index, constants));
      if (at === null || at >= count)
        throw new Error(`unroll: ${array}[${index}] is not a constant index below ${count}`);
      return `${array}_${at}`;
    });
  }
  return code;
}

/**
 * @param code WGSL with loops `for (var i = 0u; i < COUNT; i++) { // unroll` and arrays
 *   `var a: array<vec4f, COUNT>; // registers` (names unique within the file, indices sums of products).
 * @param constants values of the upper-case names that occur in bounds, sizes and indices.
 */
export function unroll(code: string, constants: ReadonlyMap<string, number>): string {
  return nameRegisters(expandLoops(code, constants), constants);
}
