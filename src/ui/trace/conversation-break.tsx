// Where a conversation was closed: the summary that the policy wrote, and the conversation that begins with it.

import { SectionBlock } from "../episode/section-look.tsx";
import type { TurnTokens } from "../episode/token-model.ts";
import { counted } from "../lib/format.ts";
import { Token } from "./token.tsx";

interface ConversationBreakProps {
  summary: NonNullable<TurnTokens["summary"]>;
  /** The conversation that begins, from 2. */
  number: number;
  /** The class of every token of the trajectory under the current map. */
  classes: readonly string[];
  mapClass: string;
  selected: number | null;
  /** Whether the request for the summary is shown. */
  showGiven: boolean;
}

export function ConversationBreak({
  summary,
  number,
  showGiven,
  mapClass,
  classes,
  selected,
}: ConversationBreakProps) {
  const { request, written } = summary;
  const marks = { classes, selected };
  return (
    <section aria-label={`Conversation ${number}`} className="flex flex-col gap-2 py-2">
      <div className="flex items-center gap-3">
        <span className="h-px flex-1 bg-line-strong" />
        <h2 className="text-dense font-semibold">Conversation {number}</h2>
        <span className="h-px flex-1 bg-line-strong" />
      </div>
      <p className="text-dense text-muted">
        Conversation {number - 1} was closed here. Of its turns, conversation {number} sees only this summary
        of {counted(written.length, "token")}, which the policy wrote.
      </p>
      <div className={`card flex flex-col gap-1.5 p-3 ${mapClass}`}>
        {showGiven && (
          <SectionBlock kind="environment">
            <Tokens tokens={request} stop={-1} {...marks} />
          </SectionBlock>
        )}
        <Tokens tokens={written} stop={selected ?? written[0]?.index ?? -1} {...marks} />
      </div>
    </section>
  );
}

function Tokens({
  tokens,
  ...marks
}: { tokens: ConversationBreakProps["summary"]["written"]; stop: number } & Pick<
  ConversationBreakProps,
  "classes" | "selected"
>) {
  return (
    <p className="font-mono text-dense leading-6">
      {tokens.map((token) => (
        <Token key={token.index} token={token} {...marks} />
      ))}
    </p>
  );
}
