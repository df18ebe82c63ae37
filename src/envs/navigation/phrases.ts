// How instructions speak of each kind: its names, what it is good for, and how it looks. Small letters and no commas, because
// the small policies know one token per word.
import type { Kind } from "./kinds.ts";

interface Phrases {
  names: readonly string[];
  /** After "i want to": no other kind serves this purpose. */
  purposes: readonly string[];
  /** After "the", with * for the colour: no other kind looks like this. */
  looks: readonly string[];
}

export const PHRASES: Readonly<Record<Kind, Phrases>> = {
  fridge: {
    names: ["fridge", "refrigerator"],
    purposes: ["get some cold milk", "keep the food cold", "take out a cold drink"],
    looks: ["tall * box with two doors and black handles", "high * block with two black handles on one side"],
  },
  stove: {
    names: ["stove", "cooker"],
    purposes: ["cook some soup", "boil water in a pot", "fry an egg in a pan"],
    looks: ["* block with four red discs on top", "* thing with an orange window and red discs"],
  },
  sink: {
    names: ["sink", "basin"],
    purposes: ["wash my hands", "fill a glass with water", "turn on the tap"],
    looks: ["* cupboard with a small pool of water on top", "* block with a white rim and a tap over water"],
  },
  microwave: {
    names: ["microwave"],
    purposes: ["warm up my lunch in a minute", "heat a cup of milk quickly", "warm up food without a pan"],
    looks: ["small * box with a dark window and a green light", "wide * box with a green light on its front"],
  },
  toaster: {
    names: ["toaster"],
    purposes: ["make toast", "brown two slices of bread", "make the bread hot and crisp"],
    looks: ["small * box with two slices of bread in it", "little * thing with bread on top"],
  },
  table: {
    names: ["table"],
    purposes: [
      "eat dinner with the family",
      "put plates down for four people",
      "play a game of cards with all",
    ],
    looks: ["wide * plate on four legs", "big flat * top on four short legs"],
  },
  chair: {
    names: ["chair"],
    purposes: ["sit down at the table", "sit straight with a back behind me", "pull up a seat to eat"],
    looks: ["* seat on four thin legs", "small * seat with a thin back"],
  },
  bin: {
    names: ["bin", "trash can"],
    purposes: ["throw away some paper", "get rid of rubbish", "drop an empty bottle in the waste"],
    looks: ["small round * pot with a black lid", "round * thing with a dark lid on it"],
  },
  sofa: {
    names: ["sofa", "couch"],
    purposes: [
      "sit down with two friends",
      "take a nap on soft cushions",
      "rest next to my sister on a long seat",
    ],
    looks: ["long * seat with two cushions", "wide low * seat for two or three people"],
  },
  armchair: {
    names: ["armchair"],
    purposes: [
      "sit alone in a soft seat",
      "lean back by myself with my arms up",
      "rest alone on one cushion",
    ],
    looks: ["wide * seat with one white cushion", "soft * seat with a white cushion and a high back"],
  },
  television: {
    names: ["television", "tv"],
    purposes: ["watch the news", "watch a film", "see the football match"],
    looks: ["wide dark screen on a low * cabinet", "low * cabinet under a big blue screen"],
  },
  bookshelf: {
    names: ["bookshelf", "bookcase"],
    purposes: ["pick a book to read", "put a novel back in its row", "look for a story to read"],
    looks: ["tall * frame full of books in many colours", "high * frame with four rows of books"],
  },
  lamp: {
    names: ["lamp", "floor lamp"],
    purposes: ["make the room brighter", "get more light to see", "switch on a light"],
    looks: ["thin black pole with a * shade on top", "* shade high on a thin black pole"],
  },
  plant: {
    names: ["plant"],
    purposes: ["water the leaves", "see something that grows", "smell fresh green leaves"],
    looks: ["green leaves in a * pot", "little green tree in a * pot"],
  },
  painting: {
    names: ["painting", "picture"],
    purposes: ["look at some art", "enjoy a work of art on the wall", "look at a drawing of hills"],
    looks: ["* frame on the wall with a sun over hills", "* frame that shows hills and a yellow sun"],
  },
  clock: {
    names: ["clock"],
    purposes: ["know what time it is", "see if i am late", "check the hour"],
    looks: ["round white disc with a * ring on the wall", "* ring high on the wall with two black hands"],
  },
  bed: {
    names: ["bed"],
    purposes: ["sleep all night", "lie down under a blanket", "go to sleep"],
    looks: ["long low block with a * blanket and two pillows", "* blanket with two white pillows at its end"],
  },
  wardrobe: {
    names: ["wardrobe", "closet"],
    purposes: ["hang up my coat", "choose a dress from the hangers", "hang my shirts"],
    looks: [
      "very tall wide * box with two doors and gold handles",
      "wide high * block with gold handles in its middle",
    ],
  },
  dresser: {
    names: ["dresser"],
    purposes: ["put my socks in a drawer", "fold clothes into drawers", "open a drawer with socks"],
    looks: ["low wide * box with three rows of drawers", "* block with three drawers and gold knobs"],
  },
  desk: {
    names: ["desk"],
    purposes: ["do my homework", "write a letter by hand", "study for school"],
    looks: [
      "* top on black legs with two drawers under one side",
      "* work top with black legs and two drawers",
    ],
  },
  laptop: {
    names: ["laptop", "computer"],
    purposes: ["write an email", "type a report", "go on the internet"],
    looks: [
      "small * thing with a bright screen that is folded open",
      "open * case with a small bright screen",
    ],
  },
  teddy: {
    names: ["teddy bear", "toy bear"],
    purposes: ["hug a soft toy", "give the child a toy", "find a toy to play with"],
    looks: ["small * bear with round ears", "little * animal with two ears"],
  },
  mirror: {
    names: ["mirror"],
    purposes: ["look at my own face", "check my hair", "see how i look"],
    looks: ["* frame on the wall with shining glass in it", "tall * frame around shining glass"],
  },
  basket: {
    names: ["basket", "hamper"],
    purposes: ["drop my dirty clothes", "gather clothes for washing day", "put dirty socks away"],
    looks: ["round * pot with stripes and white cloth on top", "striped round * thing with cloth on top"],
  },
  toilet: {
    names: ["toilet"],
    purposes: ["use the restroom", "flush the paper away", "use the loo"],
    looks: ["* bowl with a dark ring and a tank behind it", "round * bowl in front of a tank"],
  },
  bathtub: {
    names: ["bathtub", "tub"],
    purposes: ["lie in warm water", "take a long bath", "soak in bubbles"],
    looks: ["long * box full of water", "big * box of water with foam in it"],
  },
  shower: {
    names: ["shower"],
    purposes: [
      "rinse off quickly standing up",
      "stand under running water",
      "wash myself after sport in a minute",
    ],
    looks: ["high corner with a striped * curtain", "tall open corner behind * and white stripes"],
  },
  towel: {
    names: ["towel"],
    purposes: ["dry my hands", "dry my wet hair", "wipe my face dry"],
    looks: ["* cloth with white stripes on the wall", "flat * cloth on a bar"],
  },
  washer: {
    names: ["washer", "washing machine"],
    purposes: ["clean my dirty shirts", "wash a load of clothes", "start the laundry"],
    looks: ["* block with a round blue window", "low * box with a big round window in front"],
  },
};

/** Kinds by everything that an instruction can call them. */
const KINDS_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(PHRASES).flatMap(([kind, { names }]) => [kind, ...names].map((name) => [name, kind])),
);

/** The kind that a name means: "couch" is a sofa, "trash_can" a bin. Other names stay as they are. */
export function kindNamed(written: string): string {
  const name = written.replace(/[\s_-]+/g, " ");
  return KINDS_BY_NAME.get(name) ?? name;
}

/** Names of several words, as a part of a pattern: "washing machine". */
export const LONG_NAMES = [...KINDS_BY_NAME.keys()]
  .filter((name) => name.includes(" "))
  .map((name) => `\\b${name.replaceAll(" ", "[\\s_-]+")}\\b`)
  .join("|");
