// Pictures that are drawn when their pixels are first needed: an episode has dozens of up to two megabytes, of which most are never
// looked at. The latest are kept.
import type { Frame } from "../../core/types.ts";

type Size = Pick<Frame, "width" | "height">;

export class LazyFrames {
  /** Most recently used last. */
  private readonly kept = new Map<Frame, Frame["data"]>();
  private readonly made = new WeakSet<Frame>();
  private bytes = 0;

  /** @param mostBytes that are kept; a single picture may be larger. */
  constructor(private readonly mostBytes: number) {}

  /** A picture of a known size. It is drawn again when it is needed again after its pixels were dropped. */
  frame(size: Size, draw: () => Frame): Frame {
    const pixels = () => this.pixelsOf(frame, draw);
    const frame: Frame = {
      ...size,
      get data() {
        return pixels();
      },
    };
    this.made.add(frame);
    return frame;
  }

  /** Whether a frame still has to be drawn. */
  isUndrawn(frame: Frame): boolean {
    return this.made.has(frame) && !this.kept.has(frame);
  }

  private pixelsOf(frame: Frame, draw: () => Frame): Frame["data"] {
    const data = this.kept.get(frame) ?? draw().data;
    if (!this.kept.delete(frame)) this.bytes += data.byteLength;
    this.kept.set(frame, data);
    while (this.bytes > this.mostBytes && this.kept.size > 1) this.dropOldest();
    return data;
  }

  private dropOldest(): void {
    const [frame, data] = this.kept.entries().next().value!;
    this.kept.delete(frame);
    this.bytes -= data.byteLength;
  }
}

/** The pictures of all replays. */
export const lazyFrames = new LazyFrames(64 * 2 ** 20);
