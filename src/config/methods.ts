/// <reference types="vite/types/importMeta.d.ts" />
// The methods of VAGEN's comparison and those of its generation of 2026 (public/presets/methods): the settings that each changes
// in any configuration.
import { parse } from "yaml";
import { type Registry, registry } from "../core/registry.ts";
import { getPath } from "./changes.ts";
import type { RunConfig } from "./run-config.ts";

/** A method: settings by path that override those of a preset or a file. */
export interface Method {
  /** File name without its ending, e.g. `vagen-full`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Value by path, e.g. `algorithm.adv_estimator`. */
  readonly changes: Readonly<Record<string, unknown>>;
}

const files = import.meta.glob<string>("../../public/presets/methods/*.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Those of the paper's table, from the plainest to the most complete. */
export const PAPER_METHODS = ["vanilla-ppo", "grpo", "turn-ppo", "vagen-base", "bi-level", "vagen-full"];

const ORDER = [...PAPER_METHODS, "bi-level-2026", "turn-gspo-2026"];

export const methods: Registry<Method> = registry<Method>(
  "method",
  ...Object.entries(files)
    .map(([path, yaml]) => toMethod(path.replace(/^.*\/|\.yaml$/g, ""), yaml))
    .sort((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id)),
);

/** Settings that every method sets to the same value: they are how the comparison trains, and tell no method from another. */
const isShared = (path: string): boolean =>
  new Set(methods.all.map(({ changes }) => changes[path])).size === 1;

/** The method whose settings the configuration has, all that tell it from others; undefined when there is none. */
export function methodOf(config: RunConfig): Method | undefined {
  return methods.all.find(({ changes }) =>
    Object.entries(changes).every(([path, value]) => isShared(path) || getPath(config, path) === value),
  );
}

function toMethod(id: string, yaml: string): Method {
  const { name, description, ...sections } = parse(yaml) as Record<string, string>;
  return { id, name: name ?? id, description: description ?? "", changes: byPath(sections) };
}

/** `{ a: { b: 1 } }` as `{ "a.b": 1 }`. */
function byPath(sections: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([section, values]) =>
      Object.entries(values as object).map(([key, value]) => [`${section}.${key}`, value]),
    ),
  );
}
