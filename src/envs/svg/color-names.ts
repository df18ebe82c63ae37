// Colours, by name or by numbers. The renderer paints an unknown fill black and an unknown stroke not at all, without a word.
import type { SafeDrawing } from "./sanitise.ts";

/** The names of SVG 1.1, and the words that stand for a paint. */
const NAMES = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse
  chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta
  darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
  deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
  greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral
  lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple
  mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite
  navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink
  plum powderblue purple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray
  slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
  none currentcolor transparent inherit`.split(/\s+/),
);

const COLORS = / (fill|stroke|stop-color|color)="([^"]*)"/gi;

// Each part is read in one way only: an expression that tries many takes seconds for a long value.
const NUMBER = String.raw`(\d+(\.\d*)?|\.\d+)`;
/** Between two numbers. After a percentage there need be nothing. */
const NEXT = String.raw`(\s*,\s*|\s+|(?<=%))`;
/** An opacity, which any of them may have, and the end. What follows the point of the last whole number is read as one. */
const REST = String.raw`((${NEXT}|(?=\.))${NUMBER})?\s*(,\s*)?\)`;
/** How the renderer reads colours that are no names: less strictly than SVG, but with whole numbers in some places. */
const WRITTEN = new RegExp(
  [
    "#([\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})",
    String.raw`rgba?\(\s*${NUMBER}(${NEXT}\d+){2}${REST}`,
    String.raw`rgba?\(\s*${NUMBER}%(${NEXT}${NUMBER}%?){2}${REST}`,
    String.raw`hsla?\(\s*\d+(${NEXT}${NUMBER}%?){2}${REST}`,
    String.raw`url\(.*\)`,
  ]
    .map((form) => `^${form}$`)
    .join("|"),
  "i",
);

/** What a person should know of the colours of a drawing: `fill="blu" names no colour; …`. Empty where the renderer knows all of them. */
export function colorNote({ paint, definitions, shapes }: SafeDrawing): string {
  const colors = [paint, definitions, ...shapes].flatMap((part) => [...part.matchAll(COLORS)]);
  const unknown = colors.find(([, , color]) => !NAMES.has(color!.toLowerCase()) && !WRITTEN.test(color!));
  if (!unknown) return "";
  const says = /^[a-z]+$/i.test(unknown[2]!) ? "names" : "is";
  return `${unknown[0].trim()} ${says} no colour; use one such as "red" or "#d33"`;
}
