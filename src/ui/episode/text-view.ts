// What a policy reads in place of a picture.
import { isBoard } from "../../core/scene.ts";
import type { SceneTruth, Turn, WorldTruth } from "../../core/types.ts";

/** Whether an environment with these options shows the policy text and no picture. */
export const isTextOnly = (options: unknown): boolean =>
  (options as { render_mode?: string }).render_mode === "text";

/** The text of worlds, by what their coordinates are of. */
const OF_WORLDS: Readonly<Record<WorldTruth["frame"], string>> = {
  floor: "what is in view, and how many steps ahead and to the side it is",
  workspace: "the place of each thing in millimetres, and what the hand holds",
  canvas: "the icon as rows of letters, one for the colour of each patch, and beside it the drawing",
  plane: "each thing with its place",
};

/** What walks step by step also reads how far it can. */
const readsSteps = ({ facts }: WorldTruth): boolean => facts?.clear_ahead !== undefined;

/** What it reads of states such as this one, in a line. */
export function textViewOf(truth: SceneTruth): string {
  if (isBoard(truth))
    return "The picture is for people. The policy reads the board as text, one symbol per cell.";
  const steps = readsSteps(truth) ? "; “clear” says how many steps are free ahead" : "";
  return `The picture is for people. The policy reads text: ${OF_WORLDS[truth.frame]}${steps}.`;
}

/** What the picture of a turn says of the text that the policy read; nothing where it was shown a picture. */
export const readsOf = (
  { before, observation }: Turn,
  options: unknown,
): { reads?: string; text?: string } =>
  isTextOnly(options) ? { reads: textViewOf(before), text: observation.text } : {};
