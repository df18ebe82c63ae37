// What each family of rooms has in it.
import type { Family } from "./home.ts";
import type { Kind } from "./kinds.ts";

interface Recipe {
  /** Always there, in this order: what needs most space first. */
  always: readonly Kind[];
  /** Each there with probability `OFTEN`, if there is a place for it. */
  often: readonly Kind[];
  /** Worktops beside stove and sink. */
  counters: number;
}

export const OFTEN = 0.72;

/** Kinds of a room that is the main one of its home. */
export const RECIPES: Readonly<Record<Family, Recipe>> = {
  kitchen: {
    always: ["fridge", "stove", "sink", "table"],
    often: ["chair", "microwave", "toaster", "bin", "plant", "clock", "painting", "washer"],
    counters: 2,
  },
  "living room": {
    always: ["sofa", "television"],
    often: [
      "bookshelf",
      "armchair",
      "table",
      "lamp",
      "plant",
      "laptop",
      "painting",
      "clock",
      "chair",
      "teddy",
    ],
    counters: 0,
  },
  bedroom: {
    always: ["bed", "wardrobe"],
    often: ["desk", "dresser", "laptop", "lamp", "teddy", "mirror", "painting", "basket", "chair", "clock"],
    counters: 0,
  },
  bathroom: {
    always: ["toilet", "sink"],
    often: ["bathtub", "shower", "washer", "towel", "mirror", "basket", "bin", "plant"],
    counters: 0,
  },
};

/** Kinds of a second room, which is smaller: at most this many, drawn from those of its family. */
export const SIDE_ROOM_KINDS = 4;
