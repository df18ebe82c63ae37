// The answers of VAGEN-Lite's SpatialGym: a list of actions, or the JSON of a map.

const LIST = /^\s*actions:\s*\[([\s\S]*)\]\s*$/i;

/** `Actions: [Rotate(90), Observe()]` as `Rotate(90)|Observe()`, and the JSON of a map as `Map({…})`; any other answer as it is. */
export function respell(answer: string): string {
  const list = LIST.exec(answer);
  return list ? partsOf(list[1]).map(asMap).join("|") : asMap(answer);
}

const asMap = (text: string): string => (isJsonObject(text) ? `Map(${text.trim()})` : text);

function isJsonObject(text: string): boolean {
  if (!text.trim().startsWith("{")) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** What is between the commas that have no bracket around them, in one pass: a policy may write anything. */
function partsOf(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of list) {
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}
