// The adapter's limit for one buffer, which is asked for once.

/**
 * To destroy a device, Dawn first compiles the kernels that were requested of it, and the browser answers no question about adapters
 * meanwhile. On a software adapter that takes a moment after a build is stopped, just when the page wants the size of the next run.
 */
export class AdapterLimit {
  private known: Promise<number | undefined> | undefined;

  constructor(private readonly gpu: Pick<GPU, "requestAdapter"> | undefined) {}

  /** In bytes; undefined without an adapter. */
  async bytes(): Promise<number | undefined> {
    this.known ??= this.ask();
    const asked = this.known;
    const bytes = await asked.catch(() => undefined);
    if (bytes === undefined && this.known === asked) this.forget();
    return bytes;
  }

  /** Asks again the next time: after the loss of a device, the adapter may be another. */
  forget(): void {
    this.known = undefined;
  }

  private async ask(): Promise<number | undefined> {
    const limits = (await this.gpu?.requestAdapter())?.limits;
    return limits && Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  }
}
