// The environments of VAGEN's registries by our ids (`env_registry.yaml` of Lite; a dictionary of the legacy release).
import { envs } from "../../envs/index.ts";
import type { VagenGeneration as Generation } from "./key-mapping.ts";

/** The name of every environment that Lite plays on a server; what it plays, its options say. */
export const REMOTE = "RemoteEnv";

const NAMES: Readonly<Record<Generation, Readonly<Record<string, string>>>> = {
  legacy: {
    frozenlake: "frozenlake",
    sokoban: "sokoban",
    navigation: "navigation",
    svg: "svg",
    "primitive-skill": "primitive_skill",
    blackjack: "blackjack",
  },
  lite: {
    frozenlake: "FrozenLake",
    sokoban: "Sokoban",
    "spatial-gym": "SpatialGym",
    "primitive-skill": "PrimitiveSkill",
    navigation: REMOTE,
    svg: REMOTE,
  },
};

/** VAGEN's name of our environment, and whether it has it; of one that it lacks, a name that the import reads back. */
export function theirTask(id: string, generation: Generation): { name: string; isTheirs: boolean } {
  const names = NAMES[generation];
  if (Object.hasOwn(names, id)) return { name: names[id]!, isTheirs: true };
  const { title } = envs.get(id);
  return { name: generation === "legacy" ? id : title.replaceAll(" ", ""), isTheirs: false };
}
