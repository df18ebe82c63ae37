// The configuration of the next run, or of the active one: preset, fields from the schema, and the buttons that apply
// the draft.
import { PanelLeftClose, Redo2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton, Skeleton } from "../components/controls.tsx";
import { NotLoaded } from "../components/not-loaded.tsx";
import { useMissingCode } from "../lib/missing-code.ts";
import { redo, undo, useDraft } from "../store/draft-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { Extensions } from "./extensions.tsx";
import { FieldsForm } from "./fields-form.tsx";
import { FurtherEnvs } from "./further-envs.tsx";
import { MethodPicker } from "./method-picker.tsx";
import { PendingBar } from "./pending-bar.tsx";
import { PresetPicker } from "./preset-picker.tsx";
import { Problems } from "./problems.tsx";
import { StartBar } from "./start-bar.tsx";
import { ValidationSets } from "./validation-sets.tsx";

interface PanelProps {
  /** Buttons beside the heading. */
  tools?: ReactNode;
  onHide?: () => void;
}

interface ConfigureProps extends PanelProps {
  /** What is above the button that starts a run. */
  beforeStart?: ReactNode;
}

export function ConfigurePanel({ tools, onHide, beforeStart }: ConfigureProps) {
  const draft = useDraft(({ draft }) => draft);
  const state = useRun((view) => view.state);
  const isMissing = useMissingCode();
  return (
    <section aria-label="Configure" className="flex min-h-full flex-col">
      <PanelHead tools={tools} {...(onHide && { onHide })} />
      {draft ? (
        <>
          <FieldsForm draft={draft} />
          <FurtherEnvs draft={draft} busy={isActive(state)} />
          <ValidationSets draft={draft} busy={isActive(state)} />
          <Extensions />
        </>
      ) : (
        <div className="flex-1 p-4">
          {isMissing ? (
            <NotLoaded what="The settings" />
          ) : (
            <Skeleton
              what="Loading the presets"
              count={6}
              className="flex flex-col gap-4"
              item="h-9 rounded"
            />
          )}
        </div>
      )}
      <Footer beforeStart={beforeStart} />
    </section>
  );
}

function PanelHead({ tools, onHide }: PanelProps) {
  const canUndo = useDraft((state) => state.past.length > 0);
  const canRedo = useDraft((state) => state.future.length > 0);
  return (
    <div className="px-4 pt-3">
      <div className="mb-2 flex items-center">
        <h2 className="text-lead font-semibold">Configure</h2>
        <span className="flex-1" />
        {tools}
        <IconButton icon={Undo2} name="Undo (Ctrl+Z)" small disabled={!canUndo} onClick={undo} />
        <IconButton icon={Redo2} name="Redo (Ctrl+Shift+Z)" small disabled={!canRedo} onClick={redo} />
        {onHide && <IconButton icon={PanelLeftClose} name="Hide this panel" small onClick={onHide} />}
      </div>
      <PresetPicker />
      <MethodPicker />
    </div>
  );
}

function Footer({ beforeStart }: Pick<ConfigureProps, "beforeStart">) {
  const state = useRun((view) => view.state);
  return (
    <div className="stuck-bottom sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-panel px-4 py-3 empty:hidden">
      {beforeStart}
      <Problems />
      {isActive(state) ? <PendingBar /> : <StartBar />}
    </div>
  );
}
