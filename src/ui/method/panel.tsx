// The frame of a panel: its number and heading, a sentence or two, the picture, and two lines for students.
import { type ReactNode, useId } from "react";
import { Explain } from "../components/controls.tsx";
import { withSymbols } from "./numbers.tsx";
import { plainMeaning, TERMS, type TermId } from "./terms.ts";

interface PanelProps {
  /** Place among the panels, from 1. */
  number: number;
  title: string;
  /** One or two sentences above the picture. */
  lead: ReactNode;
  /** What to notice, below the picture. */
  students: string;
  /** Terms to look up. */
  terms: readonly TermId[];
  children: ReactNode;
}

export function Panel({ number, title, lead, students, terms, children }: PanelProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="card flex min-w-0 flex-col gap-3 p-4 sm:p-5">
      <div className="flex items-baseline gap-2.5">
        <span
          className="nums inline-flex size-6 flex-none items-center justify-center rounded-full bg-accent-wash text-caption font-semibold text-accent"
          aria-hidden
        >
          {number}
        </span>
        <h3 id={heading} className="text-lead font-semibold">
          {title}
        </h3>
      </div>
      <p className="max-w-[80ch] text-body">{typeof lead === "string" ? withSymbols(lead) : lead}</p>
      {children}
      <div className="mt-1 flex flex-col gap-1 border-t border-line pt-3">
        <p className="max-w-[88ch] text-dense text-muted">{withSymbols(students)}</p>
        <ul className="flex flex-wrap items-center gap-x-3 text-caption text-muted" aria-label="Terms">
          {terms.map((id) => (
            <li key={id} className="flex items-center" title={plainMeaning(id)}>
              <Explain about={TERMS[id].name} label={<span>{withSymbols(TERMS[id].name)}</span>}>
                <p className="mb-1 font-semibold">{withSymbols(TERMS[id].name)}</p>
                <p>{plainMeaning(id)}</p>
              </Explain>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
