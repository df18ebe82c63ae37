// Expressions by mathjs, as far as answers have them: numbers, variables, the four operations, powers and roots. Loaded with runs; the
// page does not need it.
import {
  addDependencies,
  create,
  divideDependencies,
  multiplyDependencies,
  parseDependencies,
  piDependencies,
  powDependencies,
  sqrtDependencies,
  subtractDependencies,
  unaryMinusDependencies,
  unaryPlusDependencies,
} from "mathjs/number";
import type { Algebra } from "./grade.ts";

const math = create({
  addDependencies,
  divideDependencies,
  multiplyDependencies,
  parseDependencies,
  piDependencies,
  powDependencies,
  sqrtDependencies,
  subtractDependencies,
  unaryMinusDependencies,
  unaryPlusDependencies,
});

/** Only these parts make an expression; assignments, functions and texts do not. */
const ALLOWED = new Set(["ConstantNode", "OperatorNode", "ParenthesisNode", "SymbolNode", "FunctionNode"]);
const KNOWN = new Set(["pi", "sqrt"]);

export const mathAlgebra: Algebra = {
  variables(expression) {
    try {
      const names = new Set<string>();
      let isPlain = true;
      math.parse(expression).traverse((node) => {
        isPlain &&= ALLOWED.has(node.type);
        if ("name" in node && node.type === "SymbolNode") names.add(String(node.name));
      });
      return isPlain ? [...names].filter((name) => !KNOWN.has(name)) : null;
    } catch {
      return null;
    }
  },
  evaluate(expression, scope) {
    try {
      const value: unknown = math
        .parse(expression)
        .compile()
        .evaluate({ ...scope });
      return typeof value === "number" ? value : Number.NaN;
    } catch {
      return Number.NaN;
    }
  },
};
