// MuJoCo's JavaScript in a page: its bindings (Emscripten's embind) write functions as text, which the page's security policy forbids.
import type { Plugin } from "vite";

/** What the bindings do with text, and the same without it. Every variable is one of Emscripten's at that place. */
const REPLACED: readonly (readonly [found: string, instead: string])[] = [
  [
    "var invokerFn = new Function(...args, invokerFnBody)(...closureArgs);",
    `var invokerFn = function (...given) {
      checkArgCount(given.length, minArgs, expectedArgCount, humanName, throwBindingError);
      const destructors = needsDestructorStack ? [] : null;
      const wired = [cppTargetFunc];
      if (isClassMethodFunc) wired.push(argTypes[1].toWireType(destructors, this));
      for (let i = 0; i < expectedArgCount; i++) wired.push(argTypes[i + 2].toWireType(destructors, given[i]));
      const result = cppInvokerFunc(...wired);
      if (needsDestructorStack) runDestructors(destructors);
      else
        for (let i = isClassMethodFunc ? 1 : 2; i < argTypes.length; i++)
          argTypes[i].destructorFunction?.(wired[isClassMethodFunc ? i : i - 1]);
      if (returns) return argTypes[0].fromWireType(result);
    };`,
  ],
  [
    "var invokerFunction = new Function(...params, functionBody)(...args);",
    `var invokerFunction = function (object, func, destructorsRef, packed) {
      const given = kind === 0 ? [object] : [];
      let at = packed;
      for (let i = 0; i < argCount; i++) {
        given.push(types[i].readValueFromPointer(at));
        at += types[i].argPackAdvance;
      }
      const result = kind === 1 ? new func(...given) : func.call(...given);
      if (!retType.isVoid) return emval_returnValue(retType, destructorsRef, result);
    };`,
  ],
];

/** Node's part of the loader. A page never runs it, and a bundler would look for the module. */
const NODE_ONLY = "await import('module')";

/**
 * The bindings without functions from text, for pages.
 * @throws Error when the text is not that of the version in package.json: the replacements must be checked against the new one.
 */
export function withoutEval(code: string): string {
  let result = code.replace(NODE_ONLY, "{}");
  for (const [found, instead] of REPLACED) {
    if (result.split(found).length !== 2)
      throw new Error(
        `@mujoco/mujoco has changed: "${found}" is not there once. Check scripts/vite/mujoco-policy.ts.`,
      );
    result = result.replace(found, () => instead);
  }
  if (/\bnew Function\b|\beval\(/.test(result))
    throw new Error(
      "@mujoco/mujoco has changed: it makes functions from text in another place. Check scripts/vite/mujoco-policy.ts.",
    );
  return result;
}

/** Replaces the bindings in what a page loads; the command line runs them as they are. */
export const mujocoPolicy: Plugin = {
  name: "mujoco-policy",
  transform(code, id, options) {
    const isBindings = /@mujoco\/mujoco\/mujoco\.js(\?|$)/.test(id.replaceAll("\\", "/"));
    return isBindings && !options?.ssr ? { code: withoutEval(code), map: null } : null;
  },
};
