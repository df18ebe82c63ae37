// The numbers of the token under the pointer or the focus, beside it.
import type { Trajectory } from "../../core/types.ts";
import type { Provenance } from "../store/run-view.ts";
import { tokenFacts } from "./token-facts.ts";

interface FactsProps {
  trajectory: Trajectory;
  source: Provenance;
  index: number;
  text: string;
  /** What whitening did to the run's advantages; empty where they are not whitened. */
  whitening: string;
}

export function TokenCard({
  trajectory,
  source,
  index,
  text,
  whitening,
  anchor,
}: FactsProps & {
  /** Where the token is on screen. */
  anchor: DOMRect;
}) {
  const below = anchor.bottom < window.innerHeight - 300;
  const left = Math.min(anchor.left, window.innerWidth - 300);
  return (
    <div
      role="tooltip"
      id="token-card"
      className="popover pointer-events-none fixed w-72"
      style={below ? { left, top: anchor.bottom + 6 } : { left, bottom: window.innerHeight - anchor.top + 6 }}
    >
      <TokenFacts trajectory={trajectory} source={source} index={index} text={text} whitening={whitening} />
    </div>
  );
}

export function TokenFacts({ trajectory, source, index, text, whitening }: FactsProps) {
  const turn = trajectory.tokens.turnIndex[index] ?? 0;
  const facts = tokenFacts(trajectory, index, source, whitening !== "");
  return (
    <>
      <p className="mb-1.5 flex items-baseline justify-between gap-2">
        <code className="rounded bg-panel px-1.5 py-0.5 text-body font-semibold whitespace-pre">{text}</code>
        <span className="text-caption text-muted">turn {turn + 1}</span>
      </p>
      <dl className="nums grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-dense">
        {facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      {whitening && facts.some(({ name }) => name === "advantage, whitened") && (
        <p className="mt-1.5 text-caption text-muted">{whitening}</p>
      )}
    </>
  );
}
