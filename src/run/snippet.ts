// Imports the text of an extension as a module, in the page, the worker or Node.
import { ExtensionError } from "../core/errors.ts";
import type { ExtensionSource, LoadedExtension } from "../extension/api.ts";

/** Imports the text as an ES module, whose code runs with all rights. @throws ExtensionError("invalid") if it is not one. */
export async function loadExtension({ name, source }: ExtensionSource): Promise<LoadedExtension> {
  try {
    return { name, factory: (await importText(source)).default };
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new ExtensionError(
      "invalid",
      `${name} cannot be read as a module: ${what}.`,
      "An extension is one JavaScript module without imports; docs/extending.md has an example.",
      { cause: error },
    );
  }
}

type Module = { default?: unknown };

/** Node cannot import blobs; a page should not put a whole module into a data URL. */
async function importText(source: string): Promise<Module> {
  if (typeof document === "undefined" && typeof process === "object")
    return import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
