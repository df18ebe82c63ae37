// Numbers in formulas: fixed decimals, so that terms can be added up by eye.
import type { ReactNode } from "react";
import { formatFixed } from "../lib/format.ts";

const DECIMALS = 3;

/** A number of a formula. What rounds to zero has no sign. */
export function written(value: number): string {
  const text = formatFixed(value, DECIMALS);
  return /^−0\.0+$/.test(text) ? text.slice(1) : text;
}

/** With its sign. */
export function signed(value: number): string {
  const text = written(value);
  return text.startsWith("−") || /^0\.0+$/.test(text) ? text : `+${text}`;
}

/** A negative factor in brackets. */
export const bracketed = (value: number): string => {
  const text = written(value);
  return text.startsWith("−") ? `(${text})` : text;
};

/** A discount as the settings write it: "0.95", "1". */
export const discount = (value: number): string => String(Number(value.toFixed(4)));

/** Formulas below one another: their signs of equality line up where there is room. */
export const Formulas = ({ children }: { children: ReactNode }) => (
  <div className="nums grid gap-x-3 gap-y-1 font-mono text-dense sm:grid-cols-[auto_1fr]">{children}</div>
);

/** γ between turns. */
export const GammaTurn = () => (
  <>
    γ<sub>turn</sub>
  </>
);

/** A text in which "γ turn" and "λ turn" are symbols, as in the formulas. */
export const withSymbols = (text: string): ReactNode =>
  text
    .split(/(?<=[γλ])( turn)\b/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
    .map((part, i) => (part === " turn" ? <sub key={i}>turn</sub> : part));

/** A formula, and the same with numbers. */
export function Formula({
  name,
  symbols,
  numbers,
}: {
  name: string;
  symbols: ReactNode;
  numbers: ReactNode;
}) {
  return (
    <div className="contents">
      <span className="text-muted">{symbols}</span>
      <span>
        <span className="visually-hidden">{name} </span>= {numbers}
      </span>
    </div>
  );
}
