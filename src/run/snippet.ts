// Reads the text of an extension: a module is imported, in a worker or in Node, and houses are parsed, in the page as well.
import { ExtensionError } from "../core/errors.ts";
import { failureText } from "../core/failure.ts";
import { restoreSteps } from "../core/step-limit.ts";
import { isHousesFile } from "../envs/navigation/houses.ts";
import type { ExtensionSource, LoadedExtension, LoadedHouses, LoadedModule } from "../extension/api.ts";
import { type DescribedExtension, standIn } from "../extension/described.ts";

/**
 * Reads the text as houses if it has the name of a JSON file; otherwise imports it as an ES module.
 * @throws ExtensionError("invalid") or EnvError("invalid_config") if it is not what its name says.
 */
export const loadExtension = (extension: ExtensionSource): Promise<LoadedExtension> =>
  isHousesFile(extension.name) ? loadHouses(extension) : loadModule(extension);

/** Parses houses; runs no code of theirs. @throws EnvError("invalid_config") */
async function loadHouses({ name, source: text }: ExtensionSource): Promise<LoadedHouses> {
  const { homesFrom } = await import("../envs/navigation/procthor/read-houses.ts");
  return { name, homes: homesFrom({ name, text }) };
}

/**
 * What stands for extensions where their code does not run: the members that were found in a module, and houses as they are.
 * @throws EnvError("invalid_config") if houses cannot be read.
 */
export async function loadDescribed(extensions: readonly DescribedExtension[]): Promise<LoadedExtension[]> {
  return Promise.all(
    extensions.map((own) =>
      isHousesFile(own.name) ? loadHouses(own) : standIn(own.name, own.members ?? []),
    ),
  );
}

/** Reads several, one after another, because each needs the steps of its own. @throws as `loadExtension` does */
export async function loadExtensions(extensions: readonly ExtensionSource[]): Promise<LoadedExtension[]> {
  const loaded: LoadedExtension[] = [];
  for (const extension of extensions) loaded.push(await loadExtension(extension));
  return loaded;
}

/** Imports a module, whose functions count their steps and otherwise run with all rights of the thread. @throws ExtensionError("invalid") */
export async function loadModule({ name, source, checked }: ExtensionSource): Promise<LoadedModule> {
  try {
    const { countingSteps } = await import("../extension/count-steps.ts");
    restoreSteps();
    const module = await importText(countingSteps(source));
    return { name, factory: module.default, ...(checked && { checked }) };
  } catch (error) {
    const what = error instanceof SyntaxError ? `SyntaxError: ${error.message}` : `it ${failureText(error)}`;
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
