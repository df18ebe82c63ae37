// Panel: what the runs of docs/results.md showed, as cards that open the curves.
import { ChevronDown } from "lucide-react";
import { Fragment, useId, useState } from "react";
import type { CaseStudy } from "../../replay/replay.ts";
import { type Finding, findings } from "./findings.ts";
import { LinePlot } from "./line-plot.tsx";
import { Panel } from "./panel.tsx";

export function FindingsPanel({ cases, number }: { cases: readonly CaseStudy[]; number: number }) {
  return (
    <Panel
      number={number}
      title="What the runs showed"
      lead="The methods were compared in this studio, on FrozenLake and Sokoban with its smallest policies. Open a card to see the curves behind it."
      students="For every curve, ask how many seeds it has, that is, how many runs that differ only in their random numbers. Between the ends of three seeds, a difference of less than about ten points is no evidence, unless every seed shows it; that is why one card reports no difference."
      terms={["lossMask", "refPolicy", "rewards"]}
    >
      <ul className="grid items-start gap-3 lg:grid-cols-2">
        {findings.map((finding) => (
          <FindingCard
            key={finding.id}
            startsOpen={finding === findings[0]}
            finding={finding}
            example={exampleOf(finding, cases)}
          />
        ))}
      </ul>
    </Panel>
  );
}

/** The case study that shows a finding, if there is such a recording. */
export const exampleOf = ({ study }: Finding, cases: readonly CaseStudy[]): CaseStudy | undefined =>
  cases.find(({ id }) => id === study);

export function FindingCard({
  finding: { title, text, meaning, plots, sources },
  example,
  startsOpen = false,
}: {
  finding: Finding;
  example: CaseStudy | undefined;
  startsOpen?: boolean;
}) {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <li className={`card p-3 ${open ? "lg:col-span-2" : ""}`}>
      <button
        type="button"
        className="flex w-full items-start justify-between gap-3 text-left"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span>
          <span className="block text-body font-semibold">{title}</span>
          <span className="nums mt-0.5 block text-dense text-muted">{text}</span>
        </span>
        <ChevronDown
          size={18}
          className={`mt-0.5 flex-none text-muted transition-transform ${open ? "rotate-180" : ""}`}
          aria-hidden
        />
      </button>
      <div id={id} hidden={!open} className="mt-3">
        {open && (
          <div className="grid gap-4 lg:grid-cols-2 lg:gap-x-8">
            {plots.map((plot) => (
              <LinePlot key={plot.title} plot={plot} />
            ))}
            <div className="flex max-w-[72ch] flex-col gap-3">
              <p className="text-body">{meaning}</p>
              {example && (
                <a className="text-dense font-semibold text-accent underline" href={`#/replay/${example.id}`}>
                  Watch an episode: {example.title}
                </a>
              )}
              <div className="text-caption text-muted">
                <p>Made with</p>
                <ul className="my-1 flex flex-col gap-1">
                  {sources.map((source) => (
                    <li key={source}>
                      <Command text={source} />
                    </li>
                  ))}
                </ul>
                <p>In the studio's source code, the file docs/results.md has every number and setting.</p>
              </div>
            </div>
          </div>
        )}
      </div>
    </li>
  );
}

/** A command that breaks into lines at its spaces only, so that it can be read and copied. */
function Command({ text }: { text: string }) {
  const words = text.split(" ");
  return (
    <code className="font-mono">
      {words.map((word, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of words is their identity
        <Fragment key={n}>
          {n > 0 && " "}
          <span className="inline-block max-w-full break-words">{word}</span>
        </Fragment>
      ))}
    </code>
  );
}
