// A frame on a canvas.
import { type RefObject, useCallback, useEffect, useState } from "react";
import type { Frame } from "../../core/types.ts";
import { useDrawing } from "../components/use-drawing.ts";
import { lazyFrames } from "./lazy-frames.ts";

/** Draws a frame pixel by pixel, once it is on screen if it takes time; CSS scales it. */
export function FrameCanvas({
  frame,
  label,
  pixelated = false,
}: {
  frame: Frame;
  label: string;
  pixelated?: boolean;
}) {
  const [wasSeen, setSeen] = useState(false);
  const waits = !wasSeen && lazyFrames.isUndrawn(frame);
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      if (waits && !isOnScreen(canvas)) return;
      const image = new ImageData(frame.data, frame.width, frame.height);
      canvas.getContext("2d")?.putImageData(image, 0, 0);
    },
    [frame, waits],
  );
  const ref = useDrawing(draw);
  useFirstSight(ref, waits, setSeen);
  return <PictureCanvas ref={ref} size={frame} label={label} pixelated={pixelated} />;
}

/** Where nothing scrolls, a picture is there at once: observers answer a frame later. */
function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Reports when an element is first on screen. */
function useFirstSight(ref: RefObject<Element | null>, waits: boolean, onSeen: (seen: true) => void): void {
  useEffect(() => {
    const element = ref.current;
    if (!waits || !element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, waits, onSeen]);
}

/** A canvas of a picture's size in pixels, as wide as its place. */
export function PictureCanvas({
  ref,
  size: { width, height },
  label,
  pixelated,
}: {
  ref: React.Ref<HTMLCanvasElement>;
  size: Pick<Frame, "width" | "height">;
  label: string;
  pixelated: boolean;
}) {
  return (
    <canvas
      ref={ref}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      className="h-auto w-full"
      style={pixelated ? { imageRendering: "pixelated" } : {}}
    />
  );
}
