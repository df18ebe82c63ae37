// Puts things into a room, one after another, each at the first random place that is free.
import type { Rng } from "../../core/rng.ts";
import {
  boundsOf,
  footprintOf,
  grown,
  type Home,
  holds,
  overlap,
  type Rect,
  type Room,
  type Thing,
  thingOf,
} from "./home.ts";
import { factsOf, type Kind, type Scenery } from "./kinds.ts";
import type { ColorName } from "./models/part.ts";
import { AHEAD, type Quarter } from "./pose.ts";
import { OFTEN, RECIPES, SIDE_ROOM_KINDS } from "./recipes.ts";
import { WALL } from "./walls.ts";

/** Random places that are tried for one thing. */
const TRIES = 40;
/** Free floor in front of what stands at a wall. */
const FRONT = 50;
/** Between things, so that their faces never coincide. */
const GAP = 4;
/** How far before a hanging thing nothing stands that reaches as high as it. */
const HIDES = 70;

/** A rectangular room of a home that is being furnished. */
export class Furnisher {
  readonly things: Thing[] = [];
  /** Floor that stays free. */
  private readonly kept: Rect[];
  private readonly inside: Rect;

  constructor(
    private readonly room: Room,
    private readonly index: number,
    home: Pick<Home, "openings">,
    /** Walls that lead outside, by the quarter turn that looks from them into the room. */
    private readonly outer: readonly Quarter[],
    private readonly random: Rng,
  ) {
    this.inside = grown(boundsOf(room.polygon), -WALL);
    this.kept = home.openings.map((opening) => grown(opening, 55));
  }

  /** All things of the room. A side room has a few of its family. */
  furnish(isSide: boolean): Thing[] {
    const { always, often, counters } = RECIPES[this.room.family];
    this.fitOuterWalls();
    const wanted = isSide
      ? this.random.shuffle([...always, ...often]).slice(0, SIDE_ROOM_KINDS)
      : [...always, ...often.filter(() => this.random.float() < OFTEN)];
    if (counters && !isSide)
      this.placeRun(this.random.shuffle(["sink", "stove", ...Array(counters).fill("counter")]));
    for (const kind of bySpace(wanted)) if (!this.has(kind)) this.place(kind);
    if (this.room.family !== "kitchen" && this.random.float() < 0.6) this.placeRug();
    return this.things;
  }

  private has(kind: Kind): boolean {
    return this.things.some((thing) => thing.kind === kind);
  }

  /** A window, and a closed door to the outside. */
  private fitOuterWalls(): void {
    const walls = this.random.shuffle(this.outer);
    if (walls[0] !== undefined) this.hang("window", [walls[0]]);
    if (walls[1] !== undefined && this.hang("door", [walls[1]])) {
      const door = this.things[this.things.length - 1];
      this.kept.push(grown(footprintOf(door), 45));
    }
  }

  private place(kind: Kind): boolean {
    switch (factsOf(kind).placement) {
      case "wall":
        return this.placeAtWall(kind);
      case "floor":
        return kind === "chair" ? this.placeAtSeat() || this.placeFree(kind, 45) : this.placeFree(kind, 30);
      case "centre":
        return this.placeFree(kind, 60);
      case "top":
        return this.placeOnTop(kind);
      case "hanging":
        return this.hang(kind, [0, 1, 2, 3]);
    }
  }

  private attempt(tries: number, propose: () => Thing | null, clear = 0): boolean {
    for (let i = 0; i < tries; i++) {
      const thing = propose();
      if (thing && this.fits(thing, clear)) {
        this.things.push(thing);
        return true;
      }
    }
    return false;
  }

  private color(kind: Kind | Scenery): ColorName {
    return this.random.pick(factsOf(kind).colors);
  }

  private placeAtWall(kind: Kind): boolean {
    const color = this.color(kind);
    return this.attempt(TRIES, () => this.atWall(kind, color, this.random.int(4) as Quarter), FRONT);
  }

  /** A thing with its back to a wall, at a random place along it. */
  private atWall(kind: Kind | Scenery, color: ColorName, turn: Quarter): Thing | null {
    const [width, , depth] = factsOf(kind).model.size;
    const [from, to] = this.wallRange(turn);
    const room = to - from - width - 2;
    if (room < 0) return null;
    const along = from + 1 + width / 2 + this.random.int(Math.floor(room / 2) + 1) * 2;
    return this.backTo(kind, color, turn, along, depth);
  }

  /** Where the wall begins and ends that is behind things of a turn. */
  private wallRange(turn: Quarter): readonly [number, number] {
    const { x0, x1, z0, z1 } = this.inside;
    return turn % 2 ? [z0, z1] : [x0, x1];
  }

  /** A thing with its back to the wall, its middle at a place along the wall. */
  private backTo(kind: Kind | Scenery, color: ColorName, turn: Quarter, along: number, depth: number): Thing {
    const { x0, x1, z0, z1 } = this.inside;
    const [dx, dz] = AHEAD[turn];
    const off = depth / 2 + (factsOf(kind).placement === "hanging" ? 0 : 1);
    const x = dx === 0 ? along : dx > 0 ? x0 + off : x1 - off;
    const z = dz === 0 ? along : dz > 0 ? z0 + off : z1 - off;
    return thingOf(kind, color, { x, z, turn, room: this.index });
  }

  /** A worktop with stove and sink: things side by side along one wall. */
  private placeRun(kinds: readonly (Kind | Scenery)[]): void {
    const colors = kinds.map((kind) => this.color(kind));
    const widths = kinds.map((kind) => factsOf(kind).model.size[0]);
    const length = widths.reduce((sum, width) => sum + width + 1, 0);
    for (let i = 0; i < TRIES; i++) {
      const turn = this.random.int(4) as Quarter;
      const [from, to] = this.wallRange(turn);
      if (to - from - length < 2) continue;
      let along = from + 1 + this.random.int(Math.floor(to - from - length - 1));
      const run = kinds.map((kind, k) => {
        along += widths[k] + 1;
        return this.backTo(kind, colors[k], turn, along - widths[k] / 2 - 1, factsOf(kind).model.size[2]);
      });
      if (!run.every((thing) => this.fits(thing, FRONT, 0))) continue;
      this.things.push(...run);
      return;
    }
  }

  /** On the floor with free space around it. */
  private placeFree(kind: Kind, clear: number): boolean {
    const color = this.color(kind);
    const turn = this.random.int(4) as Quarter;
    const nearWall = factsOf(kind).placement === "floor" && kind !== "chair" && kind !== "armchair";
    return this.attempt(
      TRIES,
      () => (nearWall ? this.atWall(kind, color, turn) : this.anywhere(kind, color)),
      clear,
    );
  }

  private anywhere(kind: Kind | Scenery, color: ColorName): Thing | null {
    const turn = this.random.int(4) as Quarter;
    const [width, , depth] = factsOf(kind).model.size;
    const [w, d] = turn % 2 ? [depth, width] : [width, depth];
    const { x0, x1, z0, z1 } = this.inside;
    const [wide, deep] = [x1 - x0 - w, z1 - z0 - d];
    if (wide < 0 || deep < 0) return null;
    const x = x0 + w / 2 + this.random.int(Math.floor(wide) + 1);
    const z = z0 + d / 2 + this.random.int(Math.floor(deep) + 1);
    return thingOf(kind, color, { x, z, turn, room: this.index });
  }

  /** A chair in front of a table or desk, facing it. */
  private placeAtSeat(): boolean {
    const seats = this.things.filter(({ kind }) => kind === "table" || kind === "desk");
    if (seats.length === 0) return false;
    const color = this.color("chair");
    const [, , chairDepth] = factsOf("chair").model.size;
    return this.attempt(12, () => {
      const { kind, x, z, turn, size } = this.random.pick(seats);
      const side = kind === "desk" ? turn : (((turn + 2 * this.random.int(2)) & 3) as Quarter);
      const [dx, dz] = AHEAD[side];
      const off = size[2] / 2 + chairDepth / 2 + GAP + 1;
      const facing = ((side + 2) & 3) as Quarter;
      return thingOf("chair", color, { x: x + dx * off, z: z + dz * off, turn: facing, room: this.index });
    });
  }

  /** On a worktop, table or desk that is still empty. */
  private placeOnTop(kind: Kind): boolean {
    const tops = this.things.filter(
      (thing) => ["counter", "table", "desk"].includes(thing.kind) && !this.isTaken(thing),
    );
    // A kitchen without a free worktop has no microwave.
    if (tops.length === 0) return false;
    const { x, z, turn, size } = this.random.pick(tops);
    const color = this.color(kind);
    this.things.push(thingOf(kind, color, { x, z, turn, y: size[1], room: this.index }));
    return true;
  }

  private isTaken(top: Thing): boolean {
    return this.things.some(({ x, z, y }) => x === top.x && z === top.z && y > 0);
  }

  /** On a wall where nothing tall stands before it, and where no opening is. */
  private hang(kind: Kind | Scenery, walls: readonly Quarter[]): boolean {
    const color = this.color(kind);
    for (let i = 0; i < TRIES; i++) {
      const thing = this.atWall(kind, color, this.random.pick(walls));
      if (!thing || !this.isFreeWall(thing)) continue;
      this.things.push(thing);
      return true;
    }
    return false;
  }

  private isFreeWall(thing: Thing): boolean {
    const before = grown(footprintOf(thing), HIDES);
    const rect = grown(footprintOf(thing), GAP);
    if (this.kept.some((keep) => overlap(keep, rect))) return false;
    return this.things.every((other) => {
      if (factsOf(other.kind as Kind).placement === "hanging")
        return !overlap(rect, grown(footprintOf(other), 10));
      return other.y + other.size[1] <= thing.y || !overlap(narrow(before, thing), footprintOf(other));
    });
  }

  private placeRug(): void {
    const rug = this.anywhere("rug", this.color("rug"));
    const free = rug && grown(footprintOf(rug), 2);
    if (!rug || !free || !holds(this.inside, free)) return;
    this.things.push(rug);
  }

  /** Whether a thing overlaps nothing, and leaves free what has to stay free. */
  private fits(thing: Thing, clear: number, gap = GAP): boolean {
    const footprint = footprintOf(thing);
    if (!holds(this.inside, footprint)) return false;
    const own = grown(footprint, gap);
    const front = frontOf(thing, clear);
    if (this.kept.some((keep) => overlap(keep, own))) return false;
    for (const other of this.things) {
      if (other.kind === "rug") continue;
      const theirs = footprintOf(other);
      if (factsOf(other.kind as Kind).placement === "hanging") {
        if (other.y < thing.size[1] && overlap(grown(theirs, 8), footprint)) return false;
      } else if (overlap(own, theirs) || overlap(front, theirs)) return false;
      else if (factsOf(other.kind as Kind).placement === "wall" && overlap(frontOf(other, FRONT), footprint))
        if (thing.kind !== "chair" || other.kind !== "desk") return false;
    }
    return factsOf(thing.kind as Kind).placement !== "wall" || holds(this.inside, front);
  }
}

/** Things that need most floor first; what stands on others, or hangs, at the end. */
function bySpace(kinds: readonly Kind[]): Kind[] {
  const order = ["wall", "centre", "floor", "top", "hanging"];
  const space = (kind: Kind) => {
    const { placement, model } = factsOf(kind);
    return order.indexOf(placement) * 1e6 - model.size[0] * model.size[2];
  };
  return [...kinds].sort((a, b) => space(a) - space(b));
}

/** The floor in front of a thing at a wall, or around one that stands free. */
function frontOf(thing: Thing, clear: number): Rect {
  const footprint = footprintOf(thing);
  if (factsOf(thing.kind as Kind).placement !== "wall") return grown(footprint, clear);
  const [dx, dz] = AHEAD[thing.turn];
  return {
    x0: footprint.x0 + Math.min(0, dx) * clear,
    x1: footprint.x1 + Math.max(0, dx) * clear,
    z0: footprint.z0 + Math.min(0, dz) * clear,
    z1: footprint.z1 + Math.max(0, dz) * clear,
  };
}

/** What lies before a hanging thing, no wider than the thing itself. */
function narrow(before: Rect, thing: Thing): Rect {
  const { x0, x1, z0, z1 } = footprintOf(thing);
  return thing.turn % 2 ? { ...before, z0, z1 } : { ...before, x0, x1 };
}
