// A chart as a picture: the drawn SVG with its colours written out, on the page's ground, under its title.

/** Pixels of the file for one of the page. */
const SCALE = 2;
const TITLE_HEIGHT = 28;
/** What a stylesheet says and a file cannot look up. */
const INLINED = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "fill-opacity",
  "font-size",
  "font-family",
];

/** The chart as a PNG. @throws Error when the browser cannot draw it. */
export async function chartPng(svg: SVGSVGElement, title: string): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const image = await loaded(standalone(svg, width, height));
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = (height + TITLE_HEIGHT) * SCALE;
  const context = canvas.getContext("2d")!;
  const style = getComputedStyle(svg.closest("article") ?? svg);
  context.scale(SCALE, SCALE);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height + TITLE_HEIGHT);
  context.fillStyle = style.color;
  context.font = `600 13px ${style.fontFamily}`;
  context.fillText(title, 12, 19);
  context.drawImage(image, 0, TITLE_HEIGHT, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The chart cannot be drawn.")))),
  );
}

/** The SVG as a text that needs no page around it. */
function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll<SVGElement>("*"), copy.querySelectorAll<SVGElement>("*")];
  for (const [i, element] of from.entries()) {
    const style = getComputedStyle(element);
    for (const name of INLINED) to[i]!.style.setProperty(name, style.getPropertyValue(name));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", `${width}`);
  copy.setAttribute("height", `${height}`);
  return new XMLSerializer().serializeToString(copy);
}

function loaded(svg: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("The chart cannot be drawn."));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
