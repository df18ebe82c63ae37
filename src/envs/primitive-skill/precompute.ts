// Skills of many games, simulated in parallel.
import type { Precomputation } from "../env.ts";
import type { PrimitiveSkill } from "./primitive-skill.ts";
import { type SimulatedSkill, type SkillJob, simulate } from "./simulate.ts";

export const precomputation: Precomputation = {
  async precompute(upcoming, run) {
    const jobs = upcoming.flatMap((game) => {
      const env = game.env as PrimitiveSkill;
      const job = env.jobFor(game);
      return job ? [{ env, job }] : [];
    });
    const answers = await run(jobs.map(({ job }) => job));
    for (const [i, { env, job }] of jobs.entries()) {
      const simulated = answers[i] as readonly SimulatedSkill[] | undefined;
      if (simulated) env.remember(job, simulated);
    }
  },
  compute: (job) => simulate(job as SkillJob),
};
