// The same numbers as a table, for one turn: for reading, copying and for those who do not see colours.
import type { Trajectory } from "../../core/types.ts";
import { ScrollRegion } from "../components/controls.tsx";
import type { TurnTokens } from "../episode/token-model.ts";
import { formatFixed } from "../lib/format.ts";
import type { Provenance } from "../store/run-view.ts";
import { isComputed } from "./heat-map.ts";

interface Column {
  head: string;
  values: Float32Array;
  /** Rewards and advantages have a direction: their sign is always written. */
  signed?: true;
}

function columnsOf({ tokens }: Trajectory): Column[] {
  const { penalisedRewards } = tokens;
  const columns: Column[] = [
    { head: "Entropy", values: tokens.entropy },
    { head: "Value", values: tokens.values },
    { head: "Reward", values: tokens.rewards, signed: true },
    ...(penalisedRewards ? [{ head: "After KL", values: penalisedRewards, signed: true } as const] : []),
    { head: "Advantage", values: tokens.advantages, signed: true },
    { head: "Return", values: tokens.returns },
  ];
  // A column of zeros that nobody computed would look like a result. Rewards may well be 0 all over.
  return columns.filter(({ head, values }) => head === "Reward" || isComputed(tokens, values));
}

export function TokenTable({
  trajectory,
  source,
  turn,
  selected,
  onSelect,
}: {
  trajectory: Trajectory;
  source: Provenance;
  turn: TurnTokens;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { tokens } = trajectory;
  const columns = columnsOf(trajectory);
  const hasProbabilities = isComputed(tokens, tokens.rolloutLogprobs);
  const heads = ["Token", "Part", ...(hasProbabilities ? ["p"] : []), ...columns.map(({ head }) => head)];
  return (
    <ScrollRegion name="Tokens of the turn" className="card max-h-[70vh]">
      <table className="nums w-full text-dense">
        <caption className="px-3 py-2 text-left text-muted">
          Tokens that {source === "demonstration" ? "the policy imitates" : "the policy wrote"} in turn{" "}
          {turn.turn.index + 1}
        </caption>
        <thead className="sticky top-0 bg-panel">
          <tr>
            {heads.map((head, i) => (
              <th key={head} className={`px-3 py-1.5 ${i < 2 ? "text-left" : "text-right"}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {turn.groups.flatMap((group) =>
            group.tokens.map(({ index, text }) => (
              <tr
                key={index}
                onClick={() => onSelect(index)}
                aria-current={index === selected}
                className={`border-t border-line ${index === selected ? "bg-accent-wash" : ""}`}
              >
                <td className="px-3 py-0.5 font-mono whitespace-pre">{text}</td>
                <td className="px-3 py-0.5 text-muted">{group.kind}</td>
                {hasProbabilities && (
                  <td className="px-3 py-0.5 text-right">
                    {formatFixed(Math.exp(tokens.rolloutLogprobs[index] ?? 0), 3)}
                  </td>
                )}
                {columns.map(({ head, values, signed: isSigned }) => {
                  const value = values[index] ?? 0;
                  return (
                    <td key={head} className="px-3 py-0.5 text-right">
                      {isSigned ? signed(value) : formatFixed(value)}
                    </td>
                  );
                })}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const signed = (value: number) => (value > 0 ? `+${formatFixed(value)}` : formatFixed(value));
