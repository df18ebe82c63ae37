// What is wrong with the draft: the first problem, and the others on demand, each with a link to its field and, where a
// value solves it, a button that sets it.
import { Wrench } from "lucide-react";
import { useState } from "react";
import { settingTitle } from "../../config/describe.ts";
import type { ConfigFix, ConfigProblem } from "../../config/rules/problem.ts";
import { behindTitle, problemInForm, valueText } from "../settings/words.ts";
import { editField, useDraft } from "../store/draft-store.ts";
import { focusField } from "../store/form-store.ts";
import { OtherPreset } from "./other-preset.tsx";

export function Problems() {
  const problems = useDraft((state) => state.problems);
  const [open, setOpen] = useState(false);
  const [first, ...others] = problems;
  if (!first) return null;
  return (
    <div role="alert" className="text-caption text-danger">
      <p className="font-semibold">
        {others.length === 0 ? "One value needs" : `${problems.length} values need`} your attention:
      </p>
      <ul className={`flex flex-col gap-2 ${open ? "max-h-[40vh] overflow-auto" : ""}`}>
        {(open ? problems : [first]).map((problem) => (
          <Problem
            key={problemInForm(problem)}
            problem={problem}
            onGo={() => {
              // The open list must not cover the field.
              setOpen(false);
              focusField(problem.path);
            }}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <button
          type="button"
          className="mt-1 font-semibold underline underline-offset-2"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "Show the first only" : `${others.length} more`}
        </button>
      )}
      <OtherPreset />
    </div>
  );
}

function Problem({ problem, onGo }: { problem: ConfigProblem; onGo: () => void }) {
  return (
    <li>
      <p>
        <button
          type="button"
          className="text-left underline underline-offset-2"
          title={`Go to the field (${problem.path})`}
          onClick={onGo}
        >
          {settingTitle(problem.path)}
        </button>
        {behindTitle(problem)}
      </p>
      {problem.fix && <FixButton fix={problem.fix} />}
    </li>
  );
}

/** A button that solves a problem. `beside` is the path of the field next to it. */
export function FixButton({ fix, beside = "" }: { fix: ConfigFix; beside?: string }) {
  return (
    <button
      type="button"
      className="btn btn-small mt-1 h-auto min-h-7 py-0.5 text-left whitespace-normal"
      onClick={() => editField(fix.path, fix.value)}
    >
      <Wrench size={13} aria-hidden className="flex-none" /> {fixText(fix, beside)}
    </button>
  );
}

/** "Set “Minibatch” to 16", "Turn on “Loss mask”"; beside the field itself, whose path is `beside`, "Set to 16". */
export function fixText({ path, value }: ConfigFix, beside = ""): string {
  const title = path === beside ? "" : ` “${settingTitle(path)}”`;
  if (typeof value === "boolean") return `Turn ${value ? "on" : "off"}${title}`;
  return `Set${title} to ${valueText(path, value)}`;
}
