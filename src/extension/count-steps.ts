// Makes a module count its steps, so that code that goes on for ever ends with an error, in the page, its workers and Node alike: a
// thread cannot interrupt itself.
import { type Node, parse } from "acorn";
import { full } from "acorn-walk";
import MagicString from "magic-string";
import { STEPS_KEY } from "../core/step-limit.ts";

type WithBody = Node & { body: Node };
type Functional = WithBody & { expression?: boolean };

const LOOPS = ["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"];
const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/**
 * The text of a module that counts its steps, with the same lines. Work inside a built-in function (a regular expression, `repeat`)
 * counts nothing.
 * @throws SyntaxError with line and column
 */
export function countingSteps(source: string): string {
  const name = freeName(source);
  const text = new MagicString(source);
  const take = `${name}.take()`;
  full(parse(source, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (LOOPS.includes(node.type)) countIn(text, (node as WithBody).body, take);
    if (FUNCTIONS.includes(node.type)) countFunction(text, node as Functional, take);
  });
  return text.prepend(`const ${name} = globalThis[Symbol.for("${STEPS_KEY}")]; `).toString();
}

/** A name that the text does not use. */
function freeName(source: string): string {
  let name = "$steps";
  while (source.includes(name)) name += "$";
  return name;
}

function countFunction(text: MagicString, { body, expression }: Functional, take: string): void {
  if (expression) text.appendRight(body.start, `(${take}, `).appendLeft(body.end, ")");
  else countIn(text, body, take);
}

/** Counts at the beginning of a body, which gets braces if it has none. */
function countIn(text: MagicString, body: Node, take: string): void {
  if (body.type === "BlockStatement") text.appendRight(body.start + 1, ` ${take};`);
  else text.prependRight(body.start, `{ ${take}; `).appendLeft(body.end, " }");
}
