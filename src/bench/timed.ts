// The clock of benchmarks: milliseconds of work on the processor, the GPU or both.

/** Milliseconds until `work` is done. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
