// The actions of a visitor's own game: a button for each, or a field where they are too many or have arguments.
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import type { SceneTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { hasArguments, isWritten, nounOf, readOwnActions, remedy, severalHint } from "./own-action.ts";
import { useLabelOf } from "./whose.ts";

const ICONS = { Up: ArrowUp, Down: ArrowDown, Left: ArrowLeft, Right: ArrowRight } as const;

interface ActionsProps {
  spec: EnvSpec;
  /** The state, whose things the examples name. */
  truth: SceneTruth;
  /** Most actions of a turn. */
  perTurn: number;
  disabled: boolean;
  onPlay: (names: readonly string[]) => void;
}

export const Actions = ({
  field,
  ...props
}: ActionsProps & { field: React.RefObject<HTMLTextAreaElement | null> }) =>
  isWritten(props.spec) ? <ActionField {...props} field={field} /> : <ActionPad {...props} />;

function ActionPad({ spec, disabled, onPlay }: ActionsProps) {
  const labelOf = useLabelOf();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a pad of buttons is no fieldset
    <div role="group" aria-label="Actions" className="flex flex-wrap gap-2">
      {spec.actions.map((name) => {
        const Icon = Object.hasOwn(ICONS, name) ? ICONS[name as keyof typeof ICONS] : null;
        return (
          <button
            key={name}
            type="button"
            className="btn"
            disabled={disabled}
            onClick={() => onPlay([name])}
            {...labelOf(name)}
          >
            {Icon && <Icon size={16} aria-hidden />} {name}
          </button>
        );
      })}
    </div>
  );
}

/** A text that becomes one action or several when it is submitted, and what is wrong with it if it does not. */
function useWritten({ spec, truth, perTurn, onPlay }: Omit<ActionsProps, "disabled">) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const change = (next: string) => {
    setText(next);
    setProblem("");
  };
  const submit = async () => {
    try {
      await spec.loadFor?.(text);
    } catch {
      setProblem("The code that reads this answer could not be loaded. Try again when you are online.");
      return;
    }
    const read = readOwnActions(spec, text, perTurn, truth);
    if ("problem" in read) return setProblem(read.problem);
    // A drawing is improved in the next turn, not written from scratch.
    if (!spec.drawings) change("");
    onPlay(read.actions);
  };
  return { text, problem, change, submit };
}

function ActionField({
  spec,
  truth,
  perTurn,
  disabled,
  onPlay,
  field,
}: ActionsProps & { field: React.RefObject<HTMLTextAreaElement | null> }) {
  const { text, problem, change, submit } = useWritten({ spec, truth, perTurn, onPlay });
  const id = useId();
  const labelOf = useLabelOf();
  const examples = spec.examplesIn?.(truth) ?? spec.actions;
  const label = `Your ${nounOf(spec)}`;
  const submitLabel = spec.actionWords?.command ?? "Do it";
  const several = severalHint(spec, perTurn);
  const isLong = spec.actions.some(({ length }) => length > 60);
  const fill = (example: string) => {
    change(example);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Input methods confirm a word with Enter.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className="flex w-full min-w-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label className="text-caption text-muted" htmlFor={id}>
        {label}
      </label>
      <div className="flex items-start gap-2">
        <textarea
          ref={field}
          id={id}
          {...labelOf(label)}
          className={`field-input min-w-0 flex-1 field-sizing-content max-h-60 resize-y py-1.5 font-mono ${isLong ? "min-h-24" : ""}`}
          rows={isLong ? 4 : 1}
          placeholder={examples[0]}
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={problem !== ""}
          aria-describedby={problem ? `${id}-problem` : undefined}
          value={text}
          disabled={disabled}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="btn" disabled={disabled} {...labelOf(submitLabel)}>
          {submitLabel}
        </button>
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-caption break-words text-danger">
          {problem}
        </p>
      )}
      {hasArguments(spec) ? (
        <Examples examples={examples} disabled={disabled} onChoose={fill} />
      ) : (
        !problem && <p className="text-caption text-muted">{remedy(spec)}</p>
      )}
      {several && <p className="text-caption text-muted">{several}</p>}
    </form>
  );
}

/** Some of the actions; each fills the field. */
function Examples({
  examples,
  disabled,
  onChoose,
}: {
  examples: readonly string[];
  disabled: boolean;
  onChoose: (example: string) => void;
}) {
  const labelOf = useLabelOf();
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fieldset
    <div role="group" aria-label="Examples" className="flex flex-wrap items-center gap-2">
      <span className="text-caption text-muted">{examples.length === 1 ? "Example:" : "Examples:"}</span>
      {examples.map((example) => (
        <button
          key={example}
          type="button"
          className="btn btn-small max-w-full whitespace-normal py-1 text-left font-mono font-normal"
          title={`Write ${example} into the field`}
          {...labelOf(example)}
          disabled={disabled}
          onClick={() => onChoose(example)}
        >
          <span className="[overflow-wrap:anywhere]">{example}</span>
        </button>
      ))}
    </div>
  );
}
