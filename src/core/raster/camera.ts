// Where a picture is taken from.
import type { Vec3 } from "./solid.ts";

/** A square pinhole camera. Its three axes have length 1 and stand on each other; x right, y up, z ahead. */
export interface Camera {
  position: Vec3;
  right: Vec3;
  up: Vec3;
  forward: Vec3;
  /** Tangent of half the field of view. */
  tangent: number;
  /** What is nearer than this along the view is not drawn. */
  near: number;
  /** Up to this distance along the view patterns have their full light and contrast; beyond it both fade. */
  clear: number;
}
