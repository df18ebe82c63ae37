// PrimitiveSkill in words: which object is where, in millimetres, and what the fingers hold. Digits are tokens, so that a policy can
// copy the coordinates that it was given; a digit before a comma is one with it, because what follows must be found by the number that ends
// there, and a comma alone says nothing of it.
import type { Vec3 } from "../../core/raster/solid.ts";
import type { Rng } from "../../core/rng.ts";
import type { Thing, WorldTruth } from "../../core/types.ts";
import { heldWords, keyOf, NAMES, namedPlaces, placesByKey } from "../../envs/primitive-skill/claims.ts";
import { readSkill, SKILL_NAMES, type Skill, skillText } from "../../envs/primitive-skill/skills.ts";
import { EXAMPLES, INSTRUCTIONS } from "../../envs/primitive-skill/task-ids.ts";
import type { Template } from "./template.ts";

/** Between the skills of an answer. */
const SEPARATOR = " | ";

/** Height of a cube's middle on the table, and on another cube, in millimetres. */
const ON_TABLE = 20;
const EDGE = 40;
/** A skill at most this far from an object, in millimetres along an axis, means it. */
const NEAR = 25;

type At = readonly number[];

const isAt = (a: At, b: At, axes: readonly number[]): boolean =>
  axes.every((axis) => Math.abs(a[axis]! - b[axis]!) <= NEAR);

const isCube = ({ name }: Thing): boolean => name.endsWith("cube");
const canMove = (thing: Thing): boolean => isCube(thing) || thing.name === "apple";

const withThing = (truth: WorldTruth, name: string, at: At): WorldTruth["things"] =>
  truth.things.map((thing) => (thing.name === name ? { name, at } : thing));

/** The object at a point goes home with the hand. */
function picked(truth: WorldTruth, point: At): WorldTruth {
  const object = truth.things.find((thing) => canMove(thing) && isAt(thing.at, point, [0, 1, 2]));
  if (!object || truth.facts?.held) return truth;
  const things = withThing(truth, object.name, [0, 0, Number(truth.facts?.home_z)]);
  return { ...truth, things, facts: { ...truth.facts, held: object.name } };
}

/** What the hand holds comes to rest under the point, on the highest cube there or on the table; the apple in the drawer. */
function placed(truth: WorldTruth, [x, y]: At): WorldTruth {
  const held = String(truth.facts?.held ?? "");
  if (!held) return truth;
  const under = truth.things.filter(
    (thing) => isCube(thing) && thing.name !== held && isAt(thing.at, [x!, y!], [0, 1]),
  );
  const drawer = truth.things.find(({ name }) => name === "drawer");
  const z = drawer ? IN_DRAWER : Math.max(ON_TABLE, ...under.map(({ at }) => at[2]! + EDGE));
  return { ...truth, things: withThing(truth, held, [x!, y!, z]), facts: { ...truth.facts, held: "" } };
}

/** Height of the apple in the drawer, in millimetres. */
const IN_DRAWER = 155;

/** How far the drawer stays open when the hand has pushed it to the edge of the workspace, and how much less the apple moves, in mm. */
const LEFT_OPEN = 11;
const LAG = 33;

/** A push along y closes the drawer, in which the apple lags behind; where pushed cubes end up is not foreseen. */
function pushed(truth: WorldTruth, [start, end]: readonly At[]): WorldTruth {
  const open = Number(truth.facts?.drawer_open ?? 0);
  if (open <= LEFT_OPEN || end![1]! >= start![1]!) return truth;
  const isStored = truth.things.some(({ name, at }) => name === "apple" && at[2]! > IN_DRAWER / 2);
  const things = truth.things.map(({ name, at: [x, y, z] }) => {
    const way = name === "drawer" ? open - LEFT_OPEN : isStored ? open - LEFT_OPEN - LAG : 0;
    return { name, at: [x!, y! - way, z!] };
  });
  return { ...truth, things, facts: { ...truth.facts, drawer_open: LEFT_OPEN, success: isStored } };
}

function advance(truth: WorldTruth, action: string): WorldTruth {
  const skill = readSkill(action) as Skill | null;
  if (!skill || truth.facts?.success === true) return truth;
  if (skill.name === "pick") return picked(truth, skill.points[0]!);
  return skill.name === "place" ? placed(truth, skill.points[0]!) : pushed(truth, skill.points);
}

/** Picks any object up, or puts it down where it may help by chance. */
function heuristic({ things, facts }: WorldTruth, random: Rng): string {
  if (facts?.held) {
    const { at } = random.pick(things.filter((thing) => thing.name !== facts.held));
    return skillText({ name: "place", points: [[at[0]!, at[1]!, at[2]! + EDGE]] });
  }
  const [x, y, z] = random.pick(things.filter(canMove)).at;
  return skillText({ name: "pick", points: [[x!, y!, z!]] });
}

/** How far a skill at random is from what it misses, in millimetres along an axis: far enough to touch nothing of it. */
const ASIDE = [-80, 80];

/**
 * A skill of any kind that does what can be foreseen: it picks something up or misses it, puts down beside something, or pushes above
 * everything. Cubes that are pushed end up anywhere, so such skills teach no predictions.
 */
function anyAction({ things }: WorldTruth, random: Rng): string {
  const [x, y, z] = random.pick(things).at as [number, number, number];
  const beside = [x + random.pick(ASIDE), y + random.pick(ASIDE), z] as const;
  const name = random.pick(SKILL_NAMES);
  if (name === "pick") return skillText({ name, points: [random.float() < 0.5 ? [x, y, z] : beside] });
  if (name === "place") return skillText({ name, points: [beside] });
  return skillText({ name, points: [[x, y, ABOVE] as const, [beside[0], beside[1], ABOVE] as const] });
}

/** Higher than anything on the table, in millimetres. */
const ABOVE = 200;

/** The same state with two of its objects taken for each other; as it is while the hand holds one of them. */
function misread(truth: WorldTruth, random: Rng): WorldTruth {
  const [one, other] = random.shuffle(truth.things.filter(canMove));
  if (!one || !other || truth.facts?.held) return truth;
  const things = truth.things.map((thing) =>
    thing === one ? { ...one, at: other.at } : thing === other ? { ...other, at: one.at } : thing,
  );
  return { ...truth, things };
}

/** The plan with its points moved along with the objects that they mean. */
function misled(truth: WorldTruth, seen: WorldTruth, plan: readonly string[]): string[] {
  const placeOf = (name: string): At => seen.things.find((thing) => thing.name === name)!.at;
  const moved = (point: Vec3): Vec3 => {
    const height = ({ at }: Thing) => Math.abs(at[2]! - point[2]);
    const [meant] = truth.things
      .filter((thing) => canMove(thing) && isAt(thing.at, point, [0, 1]))
      .sort((a, b) => height(a) - height(b));
    if (!meant) return point;
    const to = placeOf(meant.name);
    const along = (axis: 0 | 1 | 2) => point[axis] + to[axis]! - meant.at[axis]!;
    return [along(0), along(1), along(2)];
  };
  return plan.map((action) => {
    const { name, points } = readSkill(action)!;
    return skillText({ name, points: points.map(moved) });
  });
}

/** The language of PrimitiveSkill. */
export const primitiveSkillTemplate: Template<WorldTruth> = {
  id: "primitive-skill",
  own: true,
  name: "PrimitiveSkill",
  actions: EXAMPLES,
  separator: SEPARATOR,
  predicts: ["positions"],
  words: () => [
    "PrimitiveSkill ",
    ...Object.values(INSTRUCTIONS).map((instruction) => ` ${instruction} `),
    ...NAMES.map((name) => `${name} `),
    ...Array.from({ length: 10 }, (_, digit) => [String(digit), `${digit},`]).flat(),
    ...["pick(", "place(", "push(", ") (", "(", ")", ",", "-", ", ", " open ", " ; "],
    "holds ",
    "nothing",
    ...NAMES,
    " ; so ",
    // After a name, whose token ends with a space.
    "; so ",
    SEPARATOR,
  ],
  symbols: ["\n"],
  dictionary: {
    words: [...NAMES.flatMap((name) => [`{"${keyOf(name)}": `, `, "${keyOf(name)}": `]), ")}"],
    write: placesByKey,
  },
  describe: (truth) => namedPlaces(truth).join(" ; "),
  facts: heldWords,
  decision: " ; so ",
  predict: (truth) => namedPlaces(truth).join(" ; "),
  advance,
  ended: ({ facts }) => facts?.success === true,
  players: {
    random:
      "One skill a turn: picks something up or misses it, puts it down beside something, or pushes through the air.",
    heuristic: "Picks up any object and puts it down on anything else.",
    oracle: "Follows a plan that was found by simulating it, and acts at random where there is none.",
  },
  heuristic,
  anyAction,
  misread,
  misled,
  /** As many skills as a turn may have: picking something up without putting it down leads nowhere. */
  actionsPerTurn: (_random, most) => most,
};
