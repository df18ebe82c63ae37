// A device outlives the run that opened it: to compile its kernels again would be most of what the next run waits for.
import { type Gpu, openGpu, type PolledGpu } from "./device.ts";

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
    return { ...gpu, release: () => this.keep(gpu) };
  }

  /** Ends the device that is kept. */
  close(): void {
    this.kept?.destroy();
    this.kept = null;
  }

  private async take(): Promise<Gpu | null> {
    const { kept } = this;
    this.kept = null;
    // What the last run submitted may fail after its end.
    const works = await kept?.settle().then(
      () => true,
      () => false,
    );
    if (works) return kept;
    kept?.destroy();
    return null;
  }

  private keep(gpu: Gpu): void {
    if (this.kept || !gpu.isReusable()) gpu.destroy();
    else this.kept = gpu;
  }
}
