// A text of JavaScript with the numbers of its lines, which messages about it name, and in colours. CodeMirror, which is made for this.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import {
  Compartment,
  EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useEffectEvent, useRef } from "react";

/** The page's own colours, so that it is light and dark with the page. */
const colors = HighlightStyle.define([
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--observation)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--ok)" },
  { tag: tags.number, color: "var(--warning)" },
  { tag: tags.definition(tags.variableName), color: "var(--accent)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", fontSize: "13px", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--text)", padding: "6px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--muted)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-wrong": {
    backgroundColor: "color-mix(in oklab, var(--danger) 12%, transparent)",
    boxShadow: "inset 3px 0 var(--danger)",
  },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--accent-wash)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--accent) 18%, var(--surface))",
  },
});

const markWrong = StateEffect.define<readonly number[]>();
const wrongLine = Decoration.line({ class: "cm-wrong" });

/** The lines that are marked as wrong, which keep their mark while others are written. */
const wrongLines = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update(marks, { changes, effects, newDoc }) {
    const marked = effects.findLast((effect) => effect.is(markWrong));
    if (!marked) return marks.map(changes);
    const lines: number[] = marked.value.filter((line: number) => line >= 1 && line <= newDoc.lines);
    return RangeSet.of(
      lines.map((line) => wrongLine.range(newDoc.line(line).from)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Escape closes the dialog around the text, also while something is selected. */
const KEYS = defaultKeymap.filter(({ key }) => key !== "Escape");

const EDITING: Extension = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  javascript(),
  syntaxHighlighting(colors),
  look,
  wrongLines,
  // Tab leaves the text, as everywhere on the page.
  keymap.of([...KEYS, ...historyKeymap]),
];

export interface CodeEditorProps {
  /** The id of its visible label. */
  labelId: string;
  value: string;
  readOnly: boolean;
  /** Lines to mark, from 1; the first comes into view. Marked again whenever this is another list. */
  wrong: readonly number[];
  /** What is shown while it is empty. */
  hint: string;
  onChange(value: string): void;
}

export function CodeEditor(props: CodeEditorProps) {
  const host = useEditor(props);
  return (
    <div
      ref={host}
      className="field-input h-[420px] min-h-64 w-full resize-y overflow-hidden px-0 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
    />
  );
}

/** The element that holds the editor, which is made once and then follows the text and whether it can be changed. */
function useEditor({ labelId, value, readOnly, wrong, hint, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<{ view: EditorView; fixed: Compartment } | null>(null);
  const changed = useEffectEvent((text: string) => {
    if (text !== value) onChange(text);
  });
  const beginsWith = useEffectEvent(() => ({ doc: value, fixed: EditorState.readOnly.of(readOnly) }));
  useEffect(() => {
    const fixed = new Compartment();
    const begin = beginsWith();
    const extensions = [
      EDITING,
      placeholder(hint),
      // Accessibility checkers do not count a contenteditable element as focusable.
      EditorView.contentAttributes.of({ "aria-labelledby": labelId, tabindex: "0" }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) changed(state.doc.toString());
      }),
      fixed.of(begin.fixed),
    ];
    const view = new EditorView({ parent: host.current!, doc: begin.doc, extensions });
    editor.current = { view, fixed };
    return () => view.destroy();
  }, [labelId, hint]);
  useEffect(() => {
    const { view } = editor.current!;
    const shown = view.state.doc.toString();
    if (shown !== value) view.dispatch({ changes: { from: 0, to: shown.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const { view, fixed } = editor.current!;
    view.dispatch({ effects: fixed.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [readOnly]);
  useEffect(() => {
    const { view } = editor.current!;
    view.dispatch({ effects: markWrong.of(wrong) });
    const [first] = wrong;
    if (first && first <= view.state.doc.lines) scrollTo(view, first);
  }, [wrong]);
  return host;
}

/** Scrolls the editor alone: the dialog around it shows the message. */
function scrollTo(view: EditorView, line: number): void {
  const { top } = view.lineBlockAt(view.state.doc.line(line).from);
  view.scrollDOM.scrollTop = top - view.scrollDOM.clientHeight / 3;
}
