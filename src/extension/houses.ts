// Houses of ProcTHOR are stored, sent and checked as extensions are. They are data and run no code.
import { loadHouses } from "../envs/navigation/houses.ts";
import type { LoadedExtension, LoadedHouses } from "./api.ts";
import { invalid } from "./shape.ts";

/** What is registered of loaded houses: their number takes the place of an id. */
export const housesMember = ({ homes }: LoadedHouses) => ({
  kind: "houses" as const,
  id: String(homes.length),
  enter: () => loadHouses(homes),
});

/** Seeds choose among all loaded houses, so two files that come and go apart would change what a seed means. @throws ExtensionError("invalid") */
export function assertOneHouses(extensions: readonly LoadedExtension[]): void {
  const [first, second] = extensions.filter((extension) => "homes" in extension);
  if (!first || !second) return;
  throw invalid(
    second.name,
    `houses are loaded already, from ${first.name}.`,
    "Load all files of houses together, or remove the others first.",
  );
}
