// What the judge said: a chip for a glance, a table for the details.
import type { Turn, Verdict, VerdictStatus } from "../../core/types.ts";
import { isDenial, NOT_THERE, SURROUNDINGS } from "../../core/verdict.ts";
import { formatNumber, formatSigned } from "../lib/format.ts";

const LOOKS: Record<VerdictStatus, { mark: string; word: string; look: string }> = {
  match: { mark: "✓", word: "Match", look: "bg-text text-surface border-text" },
  partial: { mark: "◐", word: "Partial", look: "border-text text-text" },
  mismatch: { mark: "✗", word: "Mismatch", look: "border-text text-text" },
  unreadable: { mark: "?", word: "Could not read", look: "border-dashed border-text text-text" },
  format: { mark: "–", word: "Not judged: format", look: "border-control text-muted" },
  not_judged: {
    mark: "!",
    word: "Not judged",
    look: "border-dashed border-control text-muted",
  },
  off: { mark: "○", word: "Off", look: "border-control text-muted" },
};

interface VerdictChipProps {
  verdict: Verdict | undefined;
  /** The one whose reply was judged. */
  turn: Pick<Turn, "parsed">;
  /** The part of the reply that the chip stands beside; absent where the verdict is named. */
  kind?: string;
}

export function VerdictChip({ verdict, turn, kind }: VerdictChipProps) {
  if (!verdict) return null;
  const { mark, look } = LOOKS[verdict.status];
  // A reasoning says more than what it is judged by.
  const scope = kind === "reasoning" ? "Neighbours: " : "";
  const own = wordFor(verdict, turn);
  const word = scope ? `${scope}${own.charAt(0).toLowerCase()}${own.slice(1)}` : own;
  const covers = scope ? " The judge checks only what it says of the four cells beside the player." : "";
  const score = verdict.status === "partial" ? ` ${formatNumber(verdict.score, 2)}` : "";
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-full border px-2 text-caption font-semibold whitespace-nowrap ${look}`}
      title={`${word}. ${verdict.reason}${covers}`}
    >
      <span aria-hidden>{mark}</span>
      {word}
      {score}
    </span>
  );
}

/** A turn without the format reward is not judged (`earnsFormat`): its form is wrong, or its form is right and its action is not. */
const wordFor = ({ status }: Verdict, { parsed }: Pick<Turn, "parsed">): string =>
  status === "format" && parsed.formatOk ? "Not judged: action" : LOOKS[status].word;

/** What was found about a turn's claims, for those who hear it: ", observation match". A turn that claims nothing has nothing to say. */
export const spokenVerdicts = (turn: Pick<Turn, "parsed" | "verdicts">): string =>
  ["observation", "prediction"]
    .flatMap((claim) => {
      const verdict = turn.verdicts[claim];
      return verdict ? [`, ${claim} ${wordFor(verdict, turn).toLowerCase()}`] : [];
    })
    .join("");

/** The verdict that belongs to a part of a reply. */
export const verdictOf = ({ verdicts }: Pick<Turn, "verdicts">, kind: string): Verdict | undefined =>
  verdicts[kind === "reasoning" ? SURROUNDINGS : kind];

const CLAIMS = [
  {
    claim: "observation",
    title: "Observation",
    against: "the state before the action",
    term: "state_estimation",
  },
  {
    claim: "prediction",
    title: "Prediction",
    against: "the state after the turn's actions",
    term: "transition_modeling",
  },
  {
    claim: SURROUNDINGS,
    title: "Neighbours",
    against: "the tiles beside the player before the action",
    term: "surroundings",
  },
] as const;

/** What is true in place of a claim. A wrong denial has no counterpart: where the thing is stands in a row of its own. */
const truthOf = ({ predicted, truth }: Verdict["fields"][number]): string =>
  truth === NOT_THERE && isDenial(predicted) ? "not so" : truth;

/** Belief against truth, for every claim of a turn. */
export function BeliefTable({ turn }: { turn: Turn }) {
  return CLAIMS.map(({ claim, title, against, term }) => {
    const verdict = turn.verdicts[claim];
    if (!verdict) return null;
    const added = turn.rewards[term];
    return (
      <section key={claim} className="mb-4">
        <h3 className="flex flex-wrap items-center gap-2 text-dense font-semibold">
          {title} <VerdictChip verdict={verdict} turn={turn} />
        </h3>
        <p className="mt-0.5 mb-1 text-caption text-muted">
          Against {against}. Score {formatNumber(verdict.score, 3)}
          {verdict.repeated && ", a phrase that the agent repeats"}
          {verdict.paid !== undefined && `, paid ${formatSigned(verdict.paid)}`}
          {added !== undefined && `, reward ${formatSigned(added)}`}. The judge “{verdict.judge}”:{" "}
          {verdict.reason}
        </p>
        {verdict.fields.length > 0 && (
          <table className="w-full text-dense">
            <thead>
              <tr className="text-left text-caption text-muted">
                <th className="py-1 pr-2 font-normal">Field</th>
                <th className="py-1 pr-2 font-normal">Claimed</th>
                <th className="py-1 pr-2 font-normal">True</th>
                <th className="py-1 font-normal">Result</th>
              </tr>
            </thead>
            <tbody>
              {verdict.fields.map((field, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several things may have one name, and their order stays
                <tr key={`${field.name} ${i}`} className="border-t border-line align-top">
                  <td className="py-1 pr-2">{field.name}</td>
                  <td className={`py-1 pr-2 ${field.ok ? "" : "font-semibold"}`}>{field.predicted}</td>
                  <td className="py-1 pr-2">{truthOf(field)}</td>
                  <td className="py-1 whitespace-nowrap">{field.ok ? "✓ right" : "✗ wrong"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    );
  });
}
