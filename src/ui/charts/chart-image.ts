// A chart as a picture that explains itself: the drawn SVG with its colours written out, on the page's ground, under its
// title, the run's name and its legend.
import { DASHED_WIDTH, type LegendItem, legendRows } from "./legend.ts";

/** Pixels of the file for one of the page. */
const SCALE = 2;
/** Of the lines of text above the chart. */
const TITLE_HEIGHT = 28;
const LINE_HEIGHT = 17;
const PADDING = 12;
const MARK_WIDTH = { usual: 20, dashed: 30 };
const ITEM_GAP = 14;
/** Styles that a file cannot look up in a stylesheet. */
const INLINED = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "fill-opacity",
  "font-size",
  "font-family",
];

/** The text of a picture. */
interface PictureText {
  title: string;
  caption: string;
  legend: readonly LegendItem[];
}

/** The chart as a PNG. @throws Error when the browser cannot draw it. */
export async function chartPng(svg: SVGSVGElement, text: PictureText): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const image = await loaded(standalone(svg, width, height));
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const style = getComputedStyle(svg.closest("article") ?? svg);
  const small = `11px ${style.fontFamily}`;
  context.font = small;
  const widthOf = (item: LegendItem) => markWidth(item) + context.measureText(item.label).width + ITEM_GAP;
  const rows = legendRows(text.legend, widthOf, width - 2 * PADDING);
  const top = TITLE_HEIGHT + LINE_HEIGHT * (1 + rows.length);
  canvas.width = width * SCALE;
  canvas.height = (height + top) * SCALE;
  context.scale(SCALE, SCALE);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height + top);
  context.fillStyle = style.color;
  context.font = `600 13px ${style.fontFamily}`;
  context.fillText(text.title, PADDING, 19);
  context.font = small;
  context.fillStyle = style.getPropertyValue("--muted");
  context.fillText(text.caption, PADDING, TITLE_HEIGHT + 8);
  for (const [i, row] of rows.entries())
    drawLegendRow(context, style, row, TITLE_HEIGHT + LINE_HEIGHT * (i + 1) + 8, widthOf);
  context.drawImage(image, 0, top, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The chart cannot be drawn.")))),
  );
}

const markWidth = ({ dash }: LegendItem): number => (dash ? MARK_WIDTH.dashed : MARK_WIDTH.usual);

/** One row of a legend, its text on the line `y`. */
function drawLegendRow(
  context: CanvasRenderingContext2D,
  style: CSSStyleDeclaration,
  items: readonly LegendItem[],
  y: number,
  widthOf: (item: LegendItem) => number,
): void {
  let x = PADDING;
  for (const item of items) {
    const color = style.getPropertyValue(item.color);
    context.fillStyle = color;
    context.strokeStyle = color;
    if (item.dash) drawDashes(context, item.dash, x, y - 4);
    else drawMark(context, item.mark, x + 7, y - 4);
    context.fillStyle = style.getPropertyValue("--muted");
    context.fillText(item.label, x + markWidth(item), y);
    x += widthOf(item);
  }
}

function drawDashes(context: CanvasRenderingContext2D, dash: string, x: number, y: number): void {
  context.lineWidth = 2;
  context.setLineDash(dash.split(" ").map(Number));
  context.stroke(new Path2D(`M${x} ${y}h${DASHED_WIDTH}`));
  context.setLineDash([]);
}

/** A mark around a centre, as the chart and the legend beside it draw it. */
function drawMark(context: CanvasRenderingContext2D, mark: LegendItem["mark"], x: number, y: number): void {
  if (mark === "line") context.fillRect(x - 7, y - 1, 14, 2);
  else if (mark === "area") context.fillRect(x - 5, y - 5, 10, 10);
  else if (mark === "dot") context.fill(new Path2D(`M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`));
  else {
    context.lineWidth = 1.5;
    context.stroke(new Path2D(`M${x} ${y - 5}l5 5l-5 5l-5 -5z`));
  }
}

/** Marks what lies over a plot and belongs into its picture. What the picture does not explain, such as alarms, stays outside. */
export const IN_PICTURE = { "data-in-picture": "" };

/** The SVG as a text that needs no page around it, with what lies over it in its card. */
function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = inlined(svg);
  const over = svg.closest("article")?.querySelectorAll<SVGElement>("[data-in-picture]") ?? [];
  copy.append(...[...over].map(inlined));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", `${width}`);
  copy.setAttribute("height", `${height}`);
  return new XMLSerializer().serializeToString(copy);
}

/** A copy with the styles that it has on the page. */
function inlined(element: SVGElement): SVGElement {
  const copy = element.cloneNode(true) as SVGElement;
  const withAll = (root: SVGElement) => [root, ...root.querySelectorAll<SVGElement>("*")];
  const to = withAll(copy);
  for (const [i, part] of withAll(element).entries()) {
    const style = getComputedStyle(part);
    for (const name of INLINED) to[i]!.style.setProperty(name, style.getPropertyValue(name));
  }
  return copy;
}

function loaded(svg: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("The chart cannot be drawn."));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
