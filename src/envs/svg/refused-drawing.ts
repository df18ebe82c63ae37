/** Why a drawing is refused: what is wrong with which part of it, and what to do. */
export class RefusedDrawing extends Error {}
