// The answers of VAGEN-Lite's SpatialGym: a list of actions, or the JSON of a map.

const LIST = /^\s*actions:\s*\[([\s\S]*)\]\s*$/i;
/** A comma that no bracket after it closes around. */
const BETWEEN_ACTIONS = /,(?![^()]*\))/;

/** `Actions: [Rotate(90), Observe()]` as `Rotate(90)|Observe()`, and `{…}` as `Map({…})`; any other answer as it is. */
export function respell(answer: string): string {
  const list = LIST.exec(answer);
  if (list) return list[1].split(BETWEEN_ACTIONS).join("|");
  return answer.trim().startsWith("{") ? `Map(${answer})` : answer;
}
