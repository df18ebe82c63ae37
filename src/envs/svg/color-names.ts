// Colours by name. The renderer paints an unknown fill black and an unknown stroke not at all, without a word.
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

const COLOR_WORDS = / (fill|stroke|stop-color|color)="([a-z]+)"/gi;

/** What a person should know of the colours of a drawing: `fill="blu" names no colour; …`. Empty where each has a known name. */
export function colorNote({ paint, definitions, shapes }: SafeDrawing): string {
  const words = [paint, definitions, ...shapes].flatMap((part) => [...part.matchAll(COLOR_WORDS)]);
  const unknown = words.find(([, , word]) => !NAMES.has(word!.toLowerCase()));
  return unknown ? `${unknown[0].trim()} names no colour; use one such as "red" or "#d33"` : "";
}
