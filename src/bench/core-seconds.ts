// The clock of benchmarks on a machine that does other work: the time that this process had a core.

/** Core time of `work`, in seconds. */
export function coreSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** How often one core does `work` in a second, over `repeats` times after `warmUp` that do not count. */
export function timesPerCoreSecond(work: () => unknown, warmUp: number, repeats: number): number {
  for (let i = 0; i < warmUp; i++) work();
  const seconds = coreSeconds(() => {
    for (let i = 0; i < repeats; i++) work();
  });
  return repeats / seconds;
}
