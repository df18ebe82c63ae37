// Of two replays beside each other: which one a control belongs to.
import { createContext, useContext } from "react";

/** The title of the replay around a component; empty where there is only one. */
export const Whose = createContext("");

/** Gives a part its accessible name, which begins with the words on it: "Undo, Trained policy". Where there is one replay, the words suffice. */
export function useNameOf(): (words: string) => string {
  const title = useContext(Whose);
  return (words) => (title ? `${words}, ${title}` : words);
}

/** Gives a control whose words are visible the attribute for that name; no attribute where the words are the name. */
export function useLabelOf(): (words: string) => { "aria-label"?: string } {
  const nameOf = useNameOf();
  return (words) => (nameOf(words) === words ? {} : { "aria-label": nameOf(words) });
}
