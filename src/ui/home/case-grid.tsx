// All case studies, by environment.
import { Pause, Play } from "lucide-react";
import { envs } from "../../envs/index.ts";
import { caseStudies } from "../../replay/case-studies.ts";
import { CaseCard } from "./case-card.tsx";
import { useMotion } from "./motion.ts";

export default function CaseGrid() {
  const { moves, setMoves } = useMotion();
  const Icon = moves ? Pause : Play;
  return (
    <section aria-labelledby="case-studies" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="max-w-[68ch]">
          <h2 id="case-studies" className="text-h2 font-semibold">
            Case studies
          </h2>
          <p className="text-body text-muted">
            Recorded episodes, nothing staged. A policy is the network that writes the replies. The early
            policy has imitated solved examples (supervised fine-tuning, SFT); the trained policy has
            practised with rewards after that (PPO, an algorithm of reinforcement learning). Pairs play the
            same level, so every difference comes from the policy.
          </p>
        </div>
        <button type="button" className="btn btn-small" onClick={() => setMoves(!moves)}>
          <Icon size={14} aria-hidden /> {moves ? "Pause all pictures" : "Play all pictures"}
        </button>
      </div>
      {envs.all.map(({ id, title }) => (
        <CasesOf key={id} env={id} title={title} />
      ))}
    </section>
  );
}

/** On phones a row to swipe, with a piece of the next card in view: in one column the page would be twenty screens long. */
const LIST =
  "grid gap-3 max-sm:-mx-4 max-sm:snap-x max-sm:scroll-px-4 max-sm:auto-cols-[82%] max-sm:grid-flow-col max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 max-sm:*:snap-start";

function CasesOf({ env, title }: { env: string; title: string }) {
  const studies = caseStudies.filter((study) => study.env === env);
  if (studies.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-lead font-semibold">{title}</h3>
      <ul aria-label={title} className={LIST}>
        {studies.map((study) => (
          <CaseCard key={study.id} study={study} />
        ))}
      </ul>
    </section>
  );
}
