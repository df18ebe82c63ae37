// Of two replays beside each other: which one a control belongs to.
import { createContext, useContext } from "react";

/** The title of the replay around a component; empty where there is only one. */
export const Whose = createContext("");

/** Gives a control its accessible name, which begins with the words on it: "Undo, Trained policy". Where there is one replay, the words suffice. */
export function useNameOf(): (words: string) => { "aria-label"?: string } {
  const title = useContext(Whose);
  return (words) => (title ? { "aria-label": `${words}, ${title}` } : {});
}
