// Pieces of a turn that both the inspector and the trace show: reply by part, actions, reward by part, timeline.
import { calledName } from "../../core/action-name.ts";
import { earnsFormat } from "../../core/readings.ts";
import type { ExecutedAction, Section, ToolUse, Turn, VerdictStatus } from "../../core/types.ts";
import { wasJudged } from "../../core/verdict.ts";
import { hasVerdictFor } from "../../rl/reward/index.ts";
import { formatEarned } from "../lib/format.ts";
import { rewardTitle } from "../metrics/reward-title.ts";
import { rewardColor } from "./reward-color.ts";
import { SECTION_LOOKS, SectionBlock } from "./section-look.tsx";
import type { GroupKind } from "./token-model.ts";
import { spokenVerdicts, VerdictChip, verdictOf } from "./verdict.tsx";

/** A reply as text, part by part, without its markup. */
export function ReplyText({ turn }: { turn: Turn }) {
  const parts = turn.parsed.sections.filter(
    (section): section is Section & { kind: Exclude<GroupKind, "environment"> } => section.kind !== "tag",
  );
  return (
    <div className="flex flex-col gap-1.5">
      {parts.map((section) => (
        <SectionBlock
          key={section.from}
          kind={section.kind}
          aside={<VerdictOf turn={turn} kind={section.kind} />}
        >
          {section.kind === "answer" ? (
            <Actions turn={turn} />
          ) : (
            <Said text={turn.reply.slice(section.from, section.to)} />
          )}
        </SectionBlock>
      ))}
      {turn.tool && <ToolAnswer tool={turn.tool} />}
      <FormatLine turn={turn} />
    </div>
  );
}

/** What a part says; a drawn board keeps its lines and columns. `children` is shown in place of `text` while it is still being read. */
export function Said({ text, children }: { text: string; children?: React.ReactNode }) {
  const isDrawn = text.trim().includes("\n");
  return (
    <p className={`text-dense whitespace-pre-wrap ${isDrawn ? "font-mono leading-tight" : ""}`}>
      {children ?? text}
    </p>
  );
}

export function VerdictOf({ turn, kind }: { turn: Turn; kind: GroupKind }) {
  return <VerdictChip verdict={verdictOf(turn, kind)} turn={turn} kind={kind} />;
}

/** What came of a tool call, an error included. */
export function ToolAnswer({ tool: { name, ok, result, detail } }: { tool: ToolUse }) {
  return (
    <p className="text-dense" data-testid="tool-answer">
      {name ? `The tool ${name}` : "The tool call"}{" "}
      {ok ? (
        <>
          answered <span className="font-semibold">{result}</span>
        </>
      ) : (
        <>
          failed: <span className="font-semibold text-danger">{result}</span>
          {detail && <span className="text-muted"> ({detail})</span>}
        </>
      )}
    </p>
  );
}

/** An action in the agent's words; a long one below what it is called. */
export function ActionName({ action }: { action: ExecutedAction }) {
  const { name, valid } = action;
  const called = calledName(action);
  if (called === name || !valid) return shortened(name);
  return (
    <>
      {called}
      <code className="mt-0.5 block text-caption font-normal break-all">{name}</code>
    </>
  );
}

/** What is no action can be as long as a reply. */
const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Every action with what it did; those over the limit struck through. */
export function Actions({ turn }: { turn: Turn }) {
  const { executed, parsed, tool } = turn;
  if (tool) return <ToolAnswer tool={tool} />;
  if (executed.length === 0)
    return (
      <p className="text-dense text-muted">Nothing was executed: {parsed.reason || "no action was read"}.</p>
    );
  return (
    <ul className="flex flex-wrap items-center gap-1.5 text-dense">
      {executed.map((action, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of actions is their identity
          key={i}
          className="rounded border border-line-strong bg-surface px-2 py-0.5 font-semibold text-text"
        >
          <ActionName action={action} />
          {action.note && <span className="font-normal text-muted">: {action.note}</span>}
        </li>
      ))}
      {parsed.droppedActions.map((name, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of actions is their identity
          key={`dropped ${i}`}
          className="text-muted line-through"
          title="Over the limit of actions per turn"
        >
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Whether the format is right, or exactly why not, and whether it goes without its reward all the same. */
export function FormatLine({ turn }: { turn: Turn }) {
  const { formatOk, reason } = turn.parsed;
  return (
    <p className="text-caption text-muted">
      {formatOk ? "Format valid" : <span className="font-semibold text-danger">Format wrong: {reason}</span>}
      {formatOk && reason && `, but ${reason.replace(/\.$/, "")}`}
      {formatOk && !earnsFormat(turn) && ": no format reward"}
    </p>
  );
}

/** The turn's reward as its weighted parts and their sum. A weight for what the format does not state pays nothing, and is no part. */
export function RewardParts({ turn }: { turn: Pick<Turn, "rewards" | "reward" | "verdicts"> }) {
  const parts = Object.entries(turn.rewards).filter(([id, value]) => value !== 0 || hasVerdictFor(id, turn));
  return (
    <ul className="nums flex flex-wrap gap-x-3 gap-y-0.5 text-caption">
      {parts.map(([id, value]) => (
        <li key={id} className={`flex items-center gap-1.5 ${value === 0 ? "text-muted" : ""}`}>
          <span className="size-2 rounded-sm" style={{ background: `var(${rewardColor(id)})` }} aria-hidden />
          {rewardTitle(id)} {formatEarned(value)}
        </li>
      ))}
      <li className="font-semibold">= {formatEarned(turn.reward)}</li>
    </ul>
  );
}

/** One cell for each turn: its number, its reward as a bar, both verdicts. */
export function TurnTimeline({
  turns,
  current,
  onChange,
  roomy = false,
}: {
  /** Cells are wide enough for the reward in digits. */
  roomy?: boolean;
  turns: readonly Turn[];
  current: number;
  onChange: (index: number) => void;
}) {
  const largest = Math.max(...turns.map((turn) => Math.abs(turn.reward)), 1e-9);
  return (
    <ol className="flex max-w-3xl gap-1" aria-label="Turns">
      {turns.map((turn) => (
        <li key={turn.index} className="min-w-0 flex-1">
          <button
            type="button"
            aria-current={turn.index === current ? "step" : undefined}
            onClick={() => onChange(turn.index)}
            className={`flex h-11 w-full flex-col justify-between rounded-md border px-1.5 py-1 text-left ${
              turn.index === current
                ? "border-accent bg-accent-wash"
                : "border-line bg-panel hover:border-line-strong"
            }`}
          >
            <TurnHead turn={turn} isCurrent={turn.index === current} roomy={roomy} />
            <RewardBar reward={turn.reward} largest={largest} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function TurnHead({ turn, isCurrent, roomy }: { turn: Turn; isCurrent: boolean; roomy: boolean }) {
  const { index, reward, tool, verdicts } = turn;
  const { observation, prediction } = verdicts;
  return (
    <span className="flex w-full items-center justify-between gap-1 text-caption">
      <span className={isCurrent ? "font-semibold" : ""}>
        <span className="visually-hidden">Turn </span>
        {index + 1}
      </span>
      <span className={roomy ? "nums flex-1 truncate text-muted max-sm:visually-hidden" : "visually-hidden"}>
        <span className="visually-hidden">reward </span>
        {formatEarned(reward)}
      </span>
      <span className="visually-hidden">
        {spokenVerdicts(turn)}
        {tool && ", calls a tool"}
      </span>
      <span className="flex items-center gap-0.5" aria-hidden>
        {tool && <SECTION_LOOKS.call.icon size={11} />}
        <Dot status={observation?.status} color="--observation" />
        <Dot status={prediction?.status} color="--prediction" />
      </span>
    </span>
  );
}

function RewardBar({ reward, largest }: { reward: number; largest: number }) {
  return (
    <span className="block h-1 w-full overflow-hidden rounded-full bg-line" aria-hidden>
      <span
        className={`block h-full ${reward < 0 ? "bg-danger" : "bg-(--action)"}`}
        style={{ width: `${(100 * Math.abs(reward)) / largest}%` }}
      />
    </span>
  );
}

/** A verdict as small as a dot: filled is right, a ring is wrong, nothing is not judged. */
function Dot({ status, color }: { status: VerdictStatus | undefined; color: string }) {
  if (!status || !wasJudged({ status })) return <span className="size-2" />;
  return (
    <span
      className="size-2 rounded-full border-[1.5px]"
      style={{ borderColor: `var(${color})`, ...(status === "match" ? { background: `var(${color})` } : {}) }}
    />
  );
}
