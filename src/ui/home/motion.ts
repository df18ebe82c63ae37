// Whether pictures may move by themselves: not with reduced motion, and not after the visitor has paused them (WCAG 2.2.2).
import { create } from "zustand";
import { useReducedMotion } from "../lib/use-media.ts";

const useChoice = create<{ moves: boolean | null }>()(() => ({ moves: null }));

/** Whether pictures move by themselves, and the switch for the whole page. */
export function useMotion(): { moves: boolean; setMoves: (moves: boolean) => void } {
  const reduced = useReducedMotion();
  const chosen = useChoice((state) => state.moves);
  return { moves: chosen ?? !reduced, setMoves: (moves) => useChoice.setState({ moves }) };
}
