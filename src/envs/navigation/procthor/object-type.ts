// The type of an object of a ProcTHOR house: the first part of its id, or else what the name of its asset tells.
import type { HouseChild } from "./house-schema.ts";

/** How the names of a type's assets begin, where their words are not those of the type. */
const ASSETS: readonly (readonly [prefix: string, type: string])[] = [
  ["armchair_", "ArmChair"],
  ["bed_", "Bed"],
  ["bin_", "GarbageCan"],
  ["chair_", "Chair"],
  ["countertop_", "CounterTop"],
  ["desk_lamp_", "DeskLamp"],
  ["desk_", "Desk"],
  ["dining_table_", "DiningTable"],
  ["dresser_", "Dresser"],
  ["floor_lamp_", "FloorLamp"],
  ["garbage_bin_", "GarbageCan"],
  ["houseplant_", "HousePlant"],
  ["office_chair_", "Chair"],
  ["side_table_", "SideTable"],
  ["sofa_", "Sofa"],
  ["wall_decor_", "Painting"],
];

/**
 * The type of an object. Houses of schema 1.0.0, as in ProcTHOR-10K, have it in their ids ("Bed|2|0"). Ids of schema 0.0.1 name no type
 * ("2|0", "small|2|4"): there it is read from the asset ("Floor_Lamp_2", "bin_14", "RoboTHOR_sofa_alrid").
 */
export function typeOf({ id, assetId }: HouseChild): string {
  if (/^[A-Z]\w*\|/.test(id) || assetId === "") return id.split("|")[0];
  const name = assetId.replace(/^RoboTHOR_/, "");
  const known = ASSETS.find(([prefix]) => name.toLowerCase().startsWith(prefix));
  return known ? known[1] : name.replace(/_?\d.*$/, "").replaceAll("_", "");
}
