// Keeps a canvas drawn. Browsers empty every canvas when the graphics process ends, also on a page that changes nothing.
import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Draws on a canvas whenever `draw` changes, before the browser paints, so that a new canvas is never seen empty; and again when the browser may have lost the pixels: after a lost context
 * is restored, and when the page becomes visible, because not every browser reports the loss.
 */
export function useDrawing(draw: (canvas: HTMLCanvasElement) => void): RefObject<HTMLCanvasElement | null> {
  const ref = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const redraw = () => draw(canvas);
    redraw();
    canvas.addEventListener("contextrestored", redraw);
    document.addEventListener("visibilitychange", redraw);
    return () => {
      canvas.removeEventListener("contextrestored", redraw);
      document.removeEventListener("visibilitychange", redraw);
    };
  }, [draw]);
  return ref;
}
