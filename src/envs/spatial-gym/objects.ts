// The objects of a task and where they are.
import { PHRASES } from "../navigation/phrases.ts";
import type { Quarter } from "../navigation/pose.ts";

/** Names of everything that can be an object of a task. */
export const OBJECT_NAMES: readonly string[] = Object.keys(PHRASES);

export const isObject = (name: string): boolean => Object.hasOwn(PHRASES, name);

/** An object of a task. */
export interface Placed {
  name: string;
  /** Where its middle is on the floor, in centimetres. */
  x: number;
  z: number;
  /** Quarter turns clockwise of its front, which looks along +z at 0. */
  turn: Quarter;
}

/** The start, in centimetres, with its heading in quarter turns. */
export interface Origin {
  x: number;
  z: number;
  turn: Quarter;
}

/** What looks the same from several sides. */
const WITHOUT_FRONT: readonly string[] = ["table", "plant", "lamp", "bin", "basket"];

export const hasFront = ({ name }: { name: string }): boolean => !WITHOUT_FRONT.includes(name);
