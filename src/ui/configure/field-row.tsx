// One parameter: label, control, help, badge and problem.
import { RotateCcw } from "lucide-react";
import { memo, type RefObject, useEffect, useId, useLayoutEffect, useState } from "react";
import { type ConfigField, optionTitle } from "../../config/describe.ts";
import type { ApplyClass } from "../../config/field.ts";
import type { ConfigFix } from "../../config/rules/problem.ts";
import { Explain, Switch } from "../components/controls.tsx";
import { useWidth } from "../components/use-size.ts";
import { textWidth } from "../lib/text-width.ts";
import { fieldText, isUnusual, readField, sliderPosition, sliderValue } from "../settings/fields.ts";
import { misfitObstacle, misfitRemedy } from "../settings/misfit.ts";
import { formText, valueText } from "../settings/words.ts";
import { editField, rejectText, resetField, useDraft } from "../store/draft-store.ts";
import { OtherPreset } from "./other-preset.tsx";
import { FixButton } from "./problems.tsx";
import { StartFrom } from "./start-from.tsx";

const APPLY: Record<ApplyClass, { word: string; title: string }> = {
  live: { word: "live", title: "A change takes effect at once, in the update that runs." },
  next: { word: "next update", title: "A change takes effect with the next update." },
  restart: { word: "restart", title: "A change needs a new run." },
};

/** In the place of the word that says when a change applies: the setting has no effect under the others. */
const NOT_USED = "not used";

/** What the words at the right of the settings mean. */
export function AboutTags() {
  const meanings = [
    ...Object.values(APPLY),
    { word: NOT_USED, title: "The setting has no effect now; the text beside it says why." },
  ];
  return (
    <Explain about="The words beside settings" label="When a change takes effect">
      <p className="mb-1 font-semibold">The word at the right of a setting</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {meanings.map(({ word, title }) => (
          <div key={word} className="contents">
            <dt className="whitespace-nowrap text-muted">{word}</dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </Explain>
  );
}

interface FieldRowProps {
  field: ConfigField;
  value: unknown;
  /** The value of the preset. */
  usual: unknown;
  changed: boolean;
  /** Whether clearing the value restores the usual one. */
  isOptional?: boolean;
  /** Text that could not be read as a value. */
  unreadable: string | undefined;
  problem: string;
  /** A change that solves the problem, for one click. */
  fix?: ConfigFix | undefined;
  /** Why the field has no effect now. */
  idle: string;
  /** In which environments of several it has none, though it has an effect elsewhere. */
  partlyIdle?: string;
  /** What is allowed but worth a second look; empty when nothing is. */
  caution?: string;
  /** The reason is above a group of fields already. */
  isNoted?: boolean;
}

export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { field, value, usual, changed, problem, idle } = props;
  const id = useId();
  const ids = { control: id, problem: `${id}-problem` };
  const isNumber = field.type === "integer" || field.type === "number";
  // A short control is on the line of its label, as the numbers of sliders are.
  const inline = field.type === "boolean" || (isNumber && !field.slider);
  return (
    <div className={`py-1.5 ${idle ? "opacity-90" : ""}`} data-field={field.path}>
      <div className={`flex min-h-6 items-center gap-1 ${inline && isNumber ? "flex-wrap" : ""}`}>
        <label htmlFor={ids.control} className="min-w-0 text-dense leading-4" title={field.path}>
          {field.title}
        </label>
        {changed && <span className="size-1.5 flex-none rounded-full bg-accent" title="Changed" />}
        <HelpButton field={field} usual={usual} idle={idle} />
        <span className="flex-1" />
        {changed && (
          <button
            type="button"
            className="inline-flex size-6 flex-none items-center justify-center rounded text-muted hover:text-text"
            // The origin of the draft may have another task, without these options.
            onClick={() => {
              if (props.isOptional) editField(field.path, undefined);
              else if (field.path.startsWith("env.config.")) editField(field.path, usual);
              else resetField(field.path);
            }}
            aria-label={`Back to ${valueText(field.path, usual)}: ${field.title}`}
            title={`Back to ${valueText(field.path, usual)}`}
          >
            <RotateCcw size={13} aria-hidden />
          </button>
        )}
        <span className="flex-none text-caption text-muted" title={idle || APPLY[field.apply].title}>
          {idle ? NOT_USED : APPLY[field.apply].word}
        </span>
        {inline &&
          (isNumber ? <TextControl {...props} ids={ids} wide={false} /> : <Toggle {...props} ids={ids} />)}
      </div>
      {!inline && <Control {...props} ids={ids} />}
      {problem && (
        <p id={ids.problem} className="mt-0.5 text-caption text-danger">
          {problem}
        </p>
      )}
      {props.fix && <FixButton fix={props.fix} beside={field.path} />}
      {!problem && props.caution && <p className="mt-0.5 text-caption text-warning">{props.caution}</p>}
      {!problem && !idle && isUnusual(field, value) && (
        <p className="mt-0.5 text-caption text-warning">
          Unusual: {fieldText(field.slider![0])} to {fieldText(field.slider![1])} is recommended.
        </p>
      )}
      {props.partlyIdle && <p className="mt-0.5 text-caption text-muted">{props.partlyIdle}</p>}
      {idle && !props.isNoted && <p className="mt-0.5 text-caption text-muted">{idle}</p>}
    </div>
  );
});

function HelpButton({ field, usual, idle }: Pick<FieldRowProps, "field" | "usual" | "idle">) {
  const { min, max, unit, path, help } = field;
  const range = [
    min !== undefined && `at least ${fieldText(min)}`,
    max !== undefined && `at most ${fieldText(max)}`,
  ];
  const limits = range.filter(Boolean).join(", ");
  return (
    <Explain about={field.title}>
      <p className="mb-1 font-semibold">{field.title}</p>
      <p>{formText(help)}</p>
      {idle && <p className="mt-1">{idle}</p>}
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 text-muted">
        <dt>Key</dt>
        <dd>
          <code>{path}</code>
        </dd>
        <dt>Preset</dt>
        <dd>
          {valueText(path, usual)} {unit}
        </dd>
        {limits && (
          <>
            <dt>Allowed</dt>
            <dd>{limits}</dd>
          </>
        )}
        <dt>Applies</dt>
        <dd>{APPLY[field.apply].title}</dd>
        {field.options?.map((option) => (
          <div key={option} className="contents">
            <dt>
              <code>{option}</code>
            </dt>
            <dd>{optionTitle(path, option)}</dd>
          </div>
        ))}
      </dl>
    </Explain>
  );
}

type ControlProps = FieldRowProps & { ids: { control: string; problem: string } };

const describedBy = ({ problem, ids }: ControlProps) =>
  problem ? { "aria-invalid": true, "aria-describedby": ids.problem } : {};

function Toggle({ field, value, ids }: ControlProps) {
  return (
    <span className="ml-1 flex">
      <Switch id={ids.control} checked={value === true} onChange={(on) => editField(field.path, on)} />
    </span>
  );
}

function StartFromControl(props: ControlProps) {
  const draft = useDraft((state) => state.draft);
  if (!draft) return null;
  const warning = misfitObstacle(draft);
  return (
    <>
      <StartFrom id={props.ids.control} draft={draft} describedBy={describedBy(props)} />
      {warning && (
        <p role="status" className="mt-0.5 text-caption text-warning">
          {warning} {misfitRemedy(draft)}
        </p>
      )}
      <OtherPreset />
    </>
  );
}

function Control(props: ControlProps) {
  const { field } = props;
  if (field.path === "trainer.init_checkpoint") return <StartFromControl {...props} />;
  if (field.type === "choice") return <Choice {...props} />;
  if (!field.slider) return <TextControl {...props} wide />;
  return (
    <div className="flex items-center gap-2">
      <Slider {...props} />
      <TextControl {...props} wide={false} />
    </div>
  );
}

/** Whether a closed list of that width cuts a text, for which it has no room. */
function useCut(list: RefObject<HTMLElement | null>, text: string, width: number): boolean {
  const [isCut, setCut] = useState(false);
  // Not while rendering: in a hidden panel the list is not there to be measured.
  useLayoutEffect(() => setCut(width > 0 && textWidth(text, list.current!) > width), [list, text, width]);
  return isCut;
}

function Choice(props: ControlProps) {
  const { field, value, ids } = props;
  const [list, width] = useWidth<HTMLSelectElement>();
  const chosen = optionTitle(field.path, String(value));
  const isCut = useCut(list, chosen, width);
  return (
    <>
      <select
        ref={list}
        id={ids.control}
        className="field-input mt-0.5 w-full text-ellipsis"
        value={String(value)}
        onChange={(event) => editField(field.path, event.target.value)}
        {...describedBy(props)}
      >
        {field.options?.map((option) => (
          <option key={option} value={option}>
            {optionTitle(field.path, option)}
          </option>
        ))}
      </select>
      {isCut && (
        <p className="mt-0.5 text-caption text-text" aria-hidden>
          {chosen}
        </p>
      )}
    </>
  );
}

const STEPS = 200;

function Slider(props: ControlProps) {
  const { field, value } = props;
  const number = typeof value === "number" ? value : Number.NaN;
  const position = sliderPosition(field, number);
  // One key press moves an integer by one, whatever its range.
  const steps = field.type === "integer" && !field.log ? field.slider![1] - field.slider![0] : STEPS;
  return (
    <input
      type="range"
      className="range min-w-0 flex-1"
      min={0}
      max={steps}
      step={1}
      value={Math.round(position * steps)}
      {...describedBy(props)}
      aria-label={`${field.title}, slider`}
      aria-valuetext={`${fieldText(value)}${field.unit ? ` ${field.unit}` : ""}`}
      onChange={(event) => editField(field.path, sliderValue(field, Number(event.target.value) / steps))}
    />
  );
}

/** A text field that is read on Enter or when it is left, never while typing. */
function TextControl({ wide, ...props }: ControlProps & { wide: boolean }) {
  const { field, value, unreadable, ids } = props;
  const settled = unreadable ?? fieldText(value);
  const [text, setText] = useState(settled);
  // The value may change elsewhere: a slider, undo, another preset.
  useEffect(() => setText(settled), [settled]);
  const commit = () => {
    if (text === settled) return;
    const read = readField(field, text);
    if (read) editField(field.path, read.value);
    else rejectText(field.path, text);
  };
  return (
    <span className={`flex items-center gap-1 ${wide ? "mt-0.5 w-full" : "ml-auto flex-none pl-1"}`}>
      <input
        id={ids.control}
        className={`field-input nums ${wide ? "w-full" : "w-[76px] text-right"}`}
        value={text}
        inputMode={wide ? "text" : "decimal"}
        spellCheck={false}
        autoComplete="off"
        placeholder={field.nullable || field.default === "" ? "empty" : ""}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setText(settled);
        }}
        {...describedBy(props)}
      />
    </span>
  );
}
