// Makes a module count its steps, so that code that goes on for ever ends with an error, in workers and Node alike: a thread cannot
// interrupt itself.
import { getLineInfo, type Node, parse } from "acorn";
import { full } from "acorn-walk";
import MagicString from "magic-string";
import { STEPS } from "../core/step-limit.ts";

type WithBody = Node & { body: Node };
type Functional = WithBody & { expression?: boolean };
type Import = Node & { source?: (Node & { value?: unknown }) | null };
type Field = Node & { value?: Node | null };

const TAKE = `${STEPS}.take()`;

const LOOPS = ["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"];
/** What loads another module. An `export` does if it has a source. */
const IMPORTS = ["ImportDeclaration", "ImportExpression", "ExportAllDeclaration", "ExportNamedDeclaration"];
const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/**
 * The text of a module that counts its steps, with the same lines. Work inside a built-in function (a regular expression, `repeat`)
 * counts nothing.
 * @throws SyntaxError with line and column, also for an import: only a module without any is the same in the page and on the command line
 */
export function countingSteps(source: string): string {
  const text = new MagicString(source);
  full(parsed(source), (node) => {
    if (IMPORTS.includes(node.type)) refuseImport(source, node as Import);
    if (LOOPS.includes(node.type)) countIn(text, (node as WithBody).body);
    if (FUNCTIONS.includes(node.type)) countFunction(text, node as Functional);
    if (node.type === "PropertyDefinition") countField(text, node as Field);
  });
  return text.toString();
}

function parsed(source: string): Node {
  try {
    return parse(source, { ecmaVersion: "latest", sourceType: "module" });
  } catch (error) {
    throw error instanceof SyntaxError ? new SyntaxError(withPlaceInWords(error.message)) : error;
  }
}

/** "Unexpected token (2:0)" as "Unexpected token in line 2, column 1", as editors count. */
const withPlaceInWords = (message: string): string =>
  message.replace(/ \((\d+):(\d+)\)$/, (_, line, before) => ` in line ${line}, column ${Number(before) + 1}`);

function refuseImport(text: string, { start, source }: Import): void {
  if (!source) return;
  // import() takes any expression.
  const what = typeof source.value === "string" ? `"${source.value}"` : text.slice(source.start, source.end);
  throw new SyntaxError(`import of ${what} in line ${getLineInfo(text, start).line}`);
}

function countFunction(text: MagicString, { body, expression }: Functional): void {
  if (expression) countBefore(text, body);
  else countIn(text, body);
}

/** A field's value is computed for every object. Functions count themselves, and one without a name gets the field's. */
function countField(text: MagicString, { value }: Field): void {
  if (value && !FUNCTIONS.includes(value.type) && value.type !== "ClassExpression") countBefore(text, value);
}

/** Counts before an expression. */
function countBefore(text: MagicString, { start, end }: Node): void {
  text.appendRight(start, `(${TAKE}, `).appendLeft(end, ")");
}

/** Counts at the beginning of a body, which gets braces if it has none. */
function countIn(text: MagicString, body: Node): void {
  if (body.type === "BlockStatement") text.appendRight(body.start + 1, ` ${TAKE};`);
  else text.prependRight(body.start, `{ ${TAKE}; `).appendLeft(body.end, " }");
}
