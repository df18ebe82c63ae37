// A frame on a canvas.
import { useCallback } from "react";
import type { Frame } from "../../core/types.ts";
import { useDrawing } from "../components/use-drawing.ts";

/** Draws a frame pixel by pixel; CSS scales it. */
export function FrameCanvas({
  frame,
  label,
  pixelated = false,
}: {
  frame: Frame;
  label: string;
  pixelated?: boolean;
}) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const image = new ImageData(frame.data, frame.width, frame.height);
      canvas.getContext("2d")?.putImageData(image, 0, 0);
    },
    [frame],
  );
  return <PictureCanvas ref={useDrawing(draw)} size={frame} label={label} pixelated={pixelated} />;
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
