// The list of shortcuts, with the switch that turns single keys off, and the way to the check of the GPU on small screens.
import { Confirm, Dialog, Switch } from "../components/controls.tsx";
import { openGpuCheck } from "../store/check-store.ts";
import { isValidating } from "../store/run-state.ts";
import { useRun } from "../store/run-store.ts";
import type { RunView } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { SHORTCUTS } from "./shortcuts.ts";

export function HelpSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useUi((ui) => ui.shortcuts);
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose}>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {SHORTCUTS.map(({ group, items }) => (
          <section key={group}>
            <h3 className="mb-1 text-dense font-semibold text-muted">{group}</h3>
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5 text-dense">
              {items.map(({ keys, does }) => (
                <div key={keys} className="contents">
                  <dt className="justify-self-start">
                    <kbd className="kbd whitespace-nowrap">{keys}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-5 flex items-center gap-3 border-t border-line pt-4 text-dense">
        <Switch id="single-keys" checked={shortcuts} onChange={(on) => setUi({ shortcuts: on })} />
        <label htmlFor="single-keys">Single-key shortcuts. Every one of them also has a button.</label>
      </div>
      <div className="mt-3 text-dense">
        <button
          type="button"
          className="btn btn-small"
          onClick={() => {
            onClose();
            openGpuCheck();
          }}
        >
          Check this GPU…
        </button>{" "}
        if losses look wrong.
      </div>
    </Dialog>
  );
}

export function StopDialog({
  open,
  onClose,
  onStop,
}: {
  open: boolean;
  onClose: () => void;
  onStop: () => void;
}) {
  const leaves = useRun(stopText);
  return (
    <Confirm
      title="Stop the run?"
      open={open}
      onClose={onClose}
      yes="Stop the run"
      no="Keep going"
      onYes={onStop}
    >
      {leaves}
    </Confirm>
  );
}

/** What a stop does, and what it leaves. */
function stopText(view: RunView): string {
  if (view.state === "preparing")
    return "It is still being prepared, and no update has begun. Nothing that is stored is lost.";
  const first = isValidating(view)
    ? "The validation in progress ends without a result, and is repeated when the run continues."
    : "The update in progress is finished and saved.";
  return `${first} Charts and traces stay, and the run can continue from there later. To hold it for a while, pause it instead.`;
}
