// The clock of benchmarks on a machine that does other work.

/** Time that this process had a core since `before`. */
export function coreSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
