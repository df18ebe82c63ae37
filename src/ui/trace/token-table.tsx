// The same numbers as a table, for one turn: for reading, copying and for those who do not see colours.
import type { Trajectory } from "../../core/types.ts";
import { ScrollRegion } from "../components/controls.tsx";
import { formatFixed } from "../lib/format.ts";
import type { TurnTokens } from "./token-model.ts";

const HEADS = ["Token", "Part", "p", "Entropy", "Value", "Reward", "Advantage", "Return"];

export function TokenTable({
  trajectory,
  turn,
  selected,
  onSelect,
}: {
  trajectory: Trajectory;
  turn: TurnTokens;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { tokens } = trajectory;
  return (
    <ScrollRegion name="Tokens of the turn" className="card max-h-[70vh]">
      <table className="nums w-full text-dense">
        <caption className="px-3 py-2 text-left text-muted">
          Tokens that the policy wrote in turn {turn.turn.index + 1}
        </caption>
        <thead className="sticky top-0 bg-panel">
          <tr>
            {HEADS.map((head, i) => (
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
                <td className="px-3 py-0.5 text-right">
                  {formatFixed(Math.exp(tokens.logprobs[index] ?? 0), 3)}
                </td>
                {[tokens.entropy, tokens.values, tokens.rewards, tokens.advantages, tokens.returns].map(
                  (column, i) => {
                    const value = column[index] ?? 0;
                    // Rewards and advantages have a direction: their sign is always written.
                    const text = i === 2 || i === 3 ? signed(value) : formatFixed(value);
                    return (
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns are fixed
                      <td key={i} className="px-3 py-0.5 text-right">
                        {text}
                      </td>
                    );
                  },
                )}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const signed = (value: number) => (value > 0 ? `+${formatFixed(value)}` : formatFixed(value));
