// One token of a trace, which can be chosen.
import type { ShownToken } from "../episode/token-model.ts";

export function Token({
  token,
  stop,
  classes,
  selected,
}: {
  token: ShownToken;
  /** The token that the tab key reaches. */
  stop: number;
  /** The class of every token of the trajectory under the current map. */
  classes: readonly string[];
  selected: number | null;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: hundreds of native buttons could not flow and wrap as text
    <span
      role="button"
      data-tok={token.index}
      data-testid={`tok-${token.index}`}
      tabIndex={token.index === stop ? 0 : -1}
      aria-current={token.index === selected}
      className={`token scroll-mt-32 scroll-mb-32 ${token.isTag ? "token-tag" : ""} ${classes[token.index] ?? ""}`}
    >
      {token.text === "\n" ? <LineEnd /> : token.text}
    </span>
  );
}

/** A drawn board continues in the next line. The token that breaks the line needs a sign, or it could not be chosen. */
function LineEnd() {
  return (
    <>
      ↵<br />
    </>
  );
}
