// What AI2-THOR's types of objects are here.
import type { Kind } from "../kinds.ts";
import type { ColorName } from "../models/part.ts";

/** Types that we have a model of. */
export const MODELLED: Readonly<Record<string, Kind>> = {
  ArmChair: "armchair",
  Bathtub: "bathtub",
  Bed: "bed",
  Chair: "chair",
  Clock: "clock",
  Desk: "desk",
  DiningTable: "table",
  Dresser: "dresser",
  FloorLamp: "lamp",
  Fridge: "fridge",
  GarbageCan: "bin",
  HousePlant: "plant",
  Laptop: "laptop",
  LaundryHamper: "basket",
  Microwave: "microwave",
  Mirror: "mirror",
  Painting: "painting",
  ShelvingUnit: "bookshelf",
  Shower: "shower",
  Sink: "sink",
  Sofa: "sofa",
  Stove: "stove",
  TeddyBear: "teddy",
  Television: "television",
  Toaster: "toaster",
  Toilet: "toilet",
  Towel: "towel",
  Wardrobe: "wardrobe",
  WashingMachine: "washer",
};

/** Heights in our models at which things lie on furniture that is higher at its back. Its height stays that of the model. */
export const SEATS: Readonly<Partial<Record<Kind, number>>> = {
  armchair: 50,
  bed: 56,
  chair: 49,
  sofa: 52,
};

interface PlainBox {
  name: string;
  /** Usual width, height and depth in centimetres: the files name an asset and no size. */
  size: readonly [width: number, height: number, depth: number];
  color: ColorName;
}

/** Furniture without a model of ours, which is drawn as a box and stands in the way. */
export const BOXES: Readonly<Record<string, PlainBox>> = {
  Cabinet: { name: "cabinet", size: [80, 180, 46], color: "beige" },
  Cart: { name: "cart", size: [60, 80, 44], color: "silver" },
  ClothesDryer: { name: "dryer", size: [64, 88, 62], color: "silver" },
  CoffeeTable: { name: "coffee table", size: [100, 42, 60], color: "brown" },
  CounterTop: { name: "counter", size: [180, 90, 64], color: "brown" },
  DogBed: { name: "dog bed", size: [80, 14, 60], color: "blue" },
  Footstool: { name: "footstool", size: [46, 40, 46], color: "beige" },
  Ottoman: { name: "ottoman", size: [60, 42, 60], color: "beige" },
  Safe: { name: "safe", size: [42, 46, 40], color: "black" },
  SideTable: { name: "side table", size: [50, 56, 44], color: "brown" },
  Stool: { name: "stool", size: [38, 60, 38], color: "silver" },
  TVStand: { name: "television stand", size: [120, 48, 44], color: "black" },
  VacuumCleaner: { name: "vacuum cleaner", size: [30, 110, 36], color: "red" },
};
