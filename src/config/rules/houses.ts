// Imported houses must be loaded before a run can play in them.
import { LOAD_HOUSES } from "../../envs/navigation/houses.ts";
import { houseOptions } from "../houses.ts";
import { problem, type Rule } from "./rule.ts";

const housesLoaded: Rule = (config, picture, { houses }) =>
  picture && houseOptions(config) && houses === 0
    ? problem("env.config.homes", "no houses are loaded", `${LOAD_HOUSES} Or use own.`, "own")
    : null;

export const houseRules: readonly Rule[] = [housesLoaded];
