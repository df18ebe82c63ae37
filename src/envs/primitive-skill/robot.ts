// The robot as it is drawn: the hand that the physics moves, and an arm of our own in the proportions of Franka's Panda that carries it.
// The arm has no weight and touches nothing; its joints follow from where the hand is.
import { dot, minus, type Rgb, type Vec3 } from "../../core/raster/solid.ts";
import { normalised, type Pose, plus, times, UPRIGHT } from "./geometry.ts";
import type { Snapshot } from "./physics.ts";
import { ball, box, rod, type Solid } from "./shapes.ts";

const WHITE: Rgb = [232, 234, 236];
const GREY: Rgb = [196, 201, 207];
const DARK: Rgb = [66, 72, 82];
const PAD: Rgb = [44, 48, 56];
const ACCENT: Rgb = [58, 126, 178];

/** VAGEN's base of the robot. */
const BASE: Vec3 = [-0.615, 0, 0];
const SHOULDER: Vec3 = [-0.615, 0, 0.333];
/** Lengths of upper arm and forearm: Panda's 0.316 and 0.384, a little longer because there is no offset at the elbow. */
const UPPER_ARM = 0.35;
const FOREARM = 0.41;
/** From the point between the pads up to the wrist, and from there towards the base. */
const WRIST_HEIGHT = 0.2;
const WRIST_OFFSET = 0.08;

const at = (position: Vec3): Pose => ({ position, rotation: UPRIGHT });

/** Where the joints of the arm are for a place of the hand. */
function armTo(hand: Vec3): { elbow: Vec3; wrist: Vec3; flange: Vec3 } {
  const flange = plus(hand, [0, 0, WRIST_HEIGHT]);
  const inward = normalised([BASE[0] - hand[0], BASE[1] - hand[1], 0]);
  const wrist = plus(flange, times(inward, WRIST_OFFSET));
  return { elbow: elbowFor(wrist), wrist, flange };
}

/** The elbow of two links from shoulder to wrist, on the upper side. Out of reach both are drawn longer. */
function elbowFor(wrist: Vec3): Vec3 {
  const way = minus(wrist, SHOULDER);
  const distance = Math.sqrt(dot(way, way));
  const stretch = Math.max(1, (distance * 1.002) / (UPPER_ARM + FOREARM));
  const [upper, fore] = [UPPER_ARM * stretch, FOREARM * stretch];
  const along = normalised(way);
  const toFoot = (upper * upper - fore * fore + distance * distance) / (2 * distance);
  const height = Math.sqrt(Math.max(0, upper * upper - toFoot * toFoot));
  // The direction nearest to straight up that stands on the way to the wrist.
  const aside = normalised(minus([0, 0, 1], times(along, along[2])));
  return plus(plus(SHOULDER, times(along, toFoot)), times(aside, height));
}

/** The robot of a state. */
export function robot({ hand, opening }: Snapshot): Solid[] {
  return [...arm(hand), ...gripper(hand, opening)];
}

function arm(hand: Vec3): Solid[] {
  const { elbow, wrist, flange } = armTo(hand);
  return [
    rod(BASE, plus(BASE, [0, 0, 0.012]), DARK, 0.104),
    rod(plus(BASE, [0, 0, 0.012]), plus(BASE, [0, 0, 0.05]), GREY, 0.1, 0.09),
    rod(plus(BASE, [0, 0, 0.05]), plus(BASE, [0, 0, 0.24]), WHITE, 0.075, 0.062),
    rod(plus(BASE, [0, 0, 0.24]), SHOULDER, GREY, 0.062),
    ...joint(SHOULDER, 0.072),
    ...link(SHOULDER, elbow, 0.058, 0.05),
    ...joint(elbow, 0.062),
    ...link(elbow, wrist, 0.052, 0.04),
    ...joint(wrist, 0.05),
    rod(wrist, flange, GREY, 0.036),
    ball(at(flange), 0.042, WHITE),
    rod(flange, plus(hand, [0, 0, 0.135]), WHITE, 0.04, 0.036),
    rod(plus(hand, [0, 0, 0.135]), plus(hand, [0, 0, 0.11]), ACCENT, 0.04),
  ];
}

/** A joint: a white ball with a dark axle through it, which stands out on both sides. */
const joint = (place: Vec3, radius: number): Solid[] => [
  ball(at(place), radius, WHITE),
  rod(plus(place, [0, -radius * 1.12, 0]), plus(place, [0, radius * 1.12, 0]), DARK, radius * 0.55),
];

/** A link with a dark band near its end. */
function link(from: Vec3, to: Vec3, radius: number, endRadius: number): Solid[] {
  const between = (part: number): Vec3 => plus(times(from, 1 - part), times(to, part));
  return [
    rod(from, between(0.72), WHITE, radius, (radius + endRadius) / 2),
    rod(between(0.72), between(0.77), DARK, endRadius * 1.02),
    rod(between(0.77), to, WHITE, endRadius),
  ];
}

function gripper(hand: Vec3, opening: number): Solid[] {
  const pose = at(hand);
  const fingers = ([-1, 1] as const).flatMap((side) => {
    const middle = side * (opening + 0.0075);
    return [
      box(pose, [0, middle, 0.031], [0.0105, 0.0075, 0.022], GREY),
      box(pose, [0, middle, 0], [0.0105, 0.0075, 0.009], PAD),
    ];
  });
  return [
    box(pose, [0, 0, 0.086], [0.031, 0.085, 0.024], WHITE),
    box(pose, [0, 0, 0.057], [0.026, 0.085, 0.005], DARK),
    ...fingers,
  ];
}
