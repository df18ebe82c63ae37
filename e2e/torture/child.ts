// The part of a suite that needs a process of its own, so that its time and memory can be bounded and measured.

const [task, ...args] = process.argv.slice(2);

async function fuzz([target = "", seed = "0", first = "0", n = "1"]: readonly string[]) {
  const { fuzzers } = await import("../../src/fuzz/index.ts");
  const before = process.resourceUsage().maxRSS;
  const report = await fuzzers[target]!(Number(seed), Number(n), Number(first));
  return { report, before, peak: process.resourceUsage().maxRSS };
}

async function soak([updates = "2000"]: readonly string[]) {
  const [{ soak, growth }, { requestNodeGpu }] = await Promise.all([
    import("../../src/bench/soak.ts"),
    import("../../src/gpu/node-device.ts"),
  ]);
  const count = Number(updates);
  const samples = await soak(await requestNodeGpu(), count, Math.max(1, Math.floor(count / 10)));
  return { samples, growth: growth(samples) };
}

const result = await (task === "fuzz" ? fuzz(args) : soak(args));
process.stdout.write(`${JSON.stringify(result)}\n`);
// The GPU library keeps threads that would hold the process.
process.exit(0);

export {};
