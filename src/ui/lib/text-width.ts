// How wide a text is when it is drawn in one line.
let pen: CanvasRenderingContext2D | null = null;

/** Width in pixels of a text in the font of an element. */
export function textWidth(text: string, element: Element): number {
  pen ??= document.createElement("canvas").getContext("2d");
  pen!.font = getComputedStyle(element).font;
  return pen!.measureText(text).width;
}
