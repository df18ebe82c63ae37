// A device outlives the run that opened it: to compile its kernels again would be most of what the next run waits for.
import { type Gpu, inTime, openGpu, type PolledGpu } from "./device.ts";

/** How long a kept device may take to show that it still works. The run before left little to compute, if anything. */
const ANSWER_MS = 5000;

/** Opens GPUs, and keeps the one that was released last. */
export class GpuKeeper {
  private kept: Gpu | null = null;
  private readonly openNew: typeof openGpu;

  constructor(openNew = openGpu) {
    this.openNew = openNew;
  }

  /** The kept GPU with all kernels that it has compiled, or a new one of `provider`. @throws as `openGpu` */
  async open(provider: PolledGpu | undefined): Promise<Gpu> {
    const gpu = (await this.take()) ?? (await this.openNew(provider));
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.keep(gpu);
      isReleased = true;
    };
    return { ...gpu, release };
  }

  /** Destroys the device that is kept. */
  close(): void {
    this.kept?.destroy();
    this.kept = null;
  }

  private async take(): Promise<Gpu | null> {
    const { kept } = this;
    this.kept = null;
    // What the last run submitted may fail after its end.
    const works = kept?.isReusable() && (await settles(kept));
    if (works) return kept;
    kept?.destroy();
    return null;
  }

  private keep(gpu: Gpu): void {
    if (gpu.isReusable()) {
      this.close();
      this.kept = gpu;
    } else gpu.destroy();
  }
}

const settles = (gpu: Gpu): Promise<boolean> =>
  inTime(gpu.settle(), ANSWER_MS).then(
    () => true,
    () => false,
  );
