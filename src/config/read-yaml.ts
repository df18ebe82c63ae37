// YAML text → plain data. What cannot be read is data too, because a file of VAGEN's need not be YAML.
import {
  type Document,
  isScalar,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
  visit,
  type YAMLParseError,
} from "yaml";
import { short } from "../core/short.ts";
import { yamlProblem } from "../core/yaml-limits.ts";

/** The data, or why there is none, where (line and column), and what to do about it. */
type YamlReading = { value: unknown } | { what: string; hint: string; cause?: unknown };

/** Reads one document; an empty one is null. A text that is too costly to parse is not read. */
export function readYaml(text: string, options: ParseOptions & SchemaOptions = {}): YamlReading {
  // What a decoder of text makes of a picture or an archive.
  if (/[\0\uFFFD]/.test(text)) return { what: "it is not a text file", hint: "Choose a text file." };
  const costly = yamlProblem(text);
  if (costly) return costly;
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const { what, hint } = syntaxProblem(error, text);
    return { what: `line ${line}, column ${col}: ${what}`, hint };
  }
  const reserved = reservedKey(document);
  if (reserved !== undefined) {
    const { line, col } = lines.linePos(reserved);
    return { what: `line ${line}, column ${col}: __proto__ cannot be a key`, hint: "Use another name." };
  }
  try {
    return { value: document.toJS() };
  } catch (cause) {
    // A reference to an anchor that does not exist, or far too many of them.
    const what = cause instanceof Error ? cause.message : String(cause);
    return { what, hint: "Write the value out.", cause };
  }
}

/** Where a key is `__proto__`. As a property it would be dropped by whatever copies the data. */
function reservedKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== "__proto__") return undefined;
      found = key.range?.[0];
      return visit.BREAK;
    },
  });
  return found;
}

/** What the parser found, and advice that fits it. */
function syntaxProblem({ code, message, pos }: YAMLParseError, text: string): { what: string; hint: string } {
  switch (code) {
    case "DUPLICATE_KEY": {
      const key = short(/^[^\s:]+/.exec(text.slice(pos[0]))?.[0] ?? "");
      return { what: `${key} appears a second time`, hint: "Keep one of the two." };
    }
    case "TAB_AS_INDENT":
      return { what: message, hint: "Indent with spaces." };
    case "MULTIPLE_DOCS":
      return {
        what: "a second document begins",
        hint: "Keep one configuration, without a line of --- after it.",
      };
    default:
      return { what: message, hint: "Check indentation, colons and quotes there." };
  }
}
