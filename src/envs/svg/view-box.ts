// The part of a drawing's plane that its picture shows.
import { type Attributed, LARGEST_NUMBER, numbersIn } from "./attributes.ts";
import { RefusedDrawing } from "./refused-drawing.ts";

/** What of the plane is shown, in units of the drawing. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** What of the drawing is shown: its view box, or else its width and height, or else 64 × 64 units. */
export function viewBoxOf({ attributes }: Attributed): Box {
  const box = numbersIn(attributes.viewBox ?? "");
  if (box.length === 4 && box[2]! > 0 && box[3]! > 0)
    return checkedBox(box as unknown as Box, `viewBox="${box.join(" ")}"`);
  const [width, height] = [unitsOf(attributes.width), unitsOf(attributes.height)];
  return checkedBox([0, 0, width, height], `width="${width}" height="${height}"`);
}

/** A width or height in units; 64 for none, and for a share of the place that the drawing is shown in. */
const unitsOf = (length = ""): number => (length.includes("%") ? 64 : numbersIn(length)[0] || 64);

/** @param said the attributes that it comes from. */
function checkedBox(box: Box, said: string): Box {
  const isFine = box.every((number) => Math.abs(number) <= LARGEST_NUMBER) && box[2] > 0 && box[3] > 0;
  if (!isFine) throw new RefusedDrawing(`${said} cannot be shown; use viewBox="0 0 64 64".`);
  return box;
}
