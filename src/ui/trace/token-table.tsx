// The same numbers as a table, for one turn: for reading, copying and for those who do not see colours.
import type { Trajectory } from "../../core/types.ts";
import { ScrollRegion } from "../components/controls.tsx";
import type { TurnTokens } from "../episode/token-model.ts";
import { formatFixed, formatPercent } from "../lib/format.ts";
import type { Provenance } from "../store/run-view.ts";
import { isComputed } from "./heat-map.ts";

interface Column {
  head: string;
  values: Float32Array;
  /** `formatFixed`, if absent. */
  write?: (value: number) => string;
}

/** The columns of numbers that this episode has. */
function columnsOf({ tokens }: Trajectory): Column[] {
  const { rolloutLogprobs, trainRewards } = tokens;
  const columns: Column[] = [
    { head: "p", values: rolloutLogprobs, write: (logprob) => formatPercent(Math.exp(logprob)) },
    { head: "Entropy", values: tokens.entropy },
    { head: "Value", values: tokens.values },
    { head: "Reward", values: tokens.rewards, write: signed },
    ...(trainRewards ? [{ head: "Trained", values: trainRewards, write: signed }] : []),
    { head: "Advantage", values: tokens.advantages, write: signed },
    { head: "Return", values: tokens.returns },
  ];
  // A column of zeros that was never computed would look like a result. Rewards may well be 0 everywhere.
  return columns.filter(({ head, values }) => head === "Reward" || isComputed(tokens, values));
}

export function TokenTable({
  trajectory,
  source,
  turn: { turn, groups },
  selected,
  onSelect,
}: {
  trajectory: Trajectory;
  source: Provenance;
  turn: TurnTokens;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const columns = columnsOf(trajectory);
  return (
    <ScrollRegion name="Tokens of the turn" className="card max-h-[70vh]">
      <table className="nums w-full text-dense">
        <caption className="px-3 py-2 text-left text-muted">
          Tokens that {source === "demonstration" ? "the policy imitates" : "the policy wrote"} in turn{" "}
          {turn.index + 1}
        </caption>
        <thead className="sticky top-0 bg-panel">
          <tr>
            {["Token", "Part", ...columns.map(({ head }) => head)].map((head, i) => (
              <th key={head} className={`px-3 py-1.5 ${i < 2 ? "text-left" : "text-right"}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.flatMap(({ kind, tokens }) =>
            tokens.map(({ index, text }) => (
              <tr
                key={index}
                onClick={() => onSelect(index)}
                aria-current={index === selected}
                className={`border-t border-line ${index === selected ? "bg-accent-wash" : ""}`}
              >
                <td className="px-3 py-0.5 font-mono whitespace-pre">{text}</td>
                <td className="px-3 py-0.5 text-muted">{kind}</td>
                {columns.map(({ head, values, write = formatFixed }) => (
                  <td key={head} className="px-3 py-0.5 text-right whitespace-nowrap">
                    {write(values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Rewards and advantages have a direction, so a sign is always written. */
const signed = (value: number) => (value > 0 ? `+${formatFixed(value)}` : formatFixed(value));
