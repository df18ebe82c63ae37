import { describe, expect, it } from "vitest";
import { typeOf } from "./object-type.ts";

const nameOf = (id: string, assetId: string) => typeOf({ id, assetId } as Parameters<typeof typeOf>[0]);

describe("types of objects", () => {
  it("are the first part of an id of schema 1.0.0", () => {
    expect(nameOf("GarbageCan|5|4", "bin_23")).toBe("GarbageCan");
    expect(nameOf("HousePlant|surface|7|39", "Houseplant_19")).toBe("HousePlant");
  });

  it.each([
    ["Armchair_201_3", "ArmChair"],
    ["Countertop_C_10x6", "CounterTop"],
    ["Floor_Lamp_2", "FloorLamp"],
    ["Houseplant_8", "HousePlant"],
    ["RoboTHOR_chair_norden_gateleg", "Chair"],
    ["RoboTHOR_desk_lamp_arstid_v", "DeskLamp"],
    ["RoboTHOR_desk_lisabo", "Desk"],
    ["RoboTHOR_dining_table_extendable", "DiningTable"],
    ["RoboTHOR_dresser_rast_v", "Dresser"],
    ["RoboTHOR_houseplant_ai2_2_v", "HousePlant"],
    ["RoboTHOR_sofa_alrid", "Sofa"],
    ["TV_Stand_206_1", "TVStand"],
    ["Toilet_Paper_Used_Up", "ToiletPaperUsedUp"],
    ["Wall_Decor_Painting_3V", "Painting"],
    ["Washing_Machine_1", "WashingMachine"],
    ["bin_14", "GarbageCan"],
  ])("are read from the asset %s under schema 0.0.1", (assetId, type) => {
    expect(nameOf("4|0|0", assetId)).toBe(type);
  });
});
