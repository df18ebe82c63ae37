// How large the run of the draft will be, and the button that starts it.
import { Play } from "lucide-react";
import { useMemo } from "react";
import { bundledStart } from "../../config/bundled.ts";
import { setting } from "../../core/message.ts";
import { useMissingCode } from "../lib/missing-code.ts";
import { startRun } from "../session/session.ts";
import { cautionBeforeStart } from "../settings/caution.ts";
import { misfitObstacle } from "../settings/misfit.ts";
import { formText } from "../settings/words.ts";
import { editField, useDraft } from "../store/draft-store.ts";
import { focusField } from "../store/form-store.ts";
import { useJudgeObstacle } from "../store/judge-store.ts";
import { canTrain, obstacle, trainingBlocked, useSession } from "../store/session-store.ts";
import { useModelObstacle } from "../store/similarity-store.ts";
import { setUi } from "../store/ui-store.ts";
import { GpuWait } from "./gpu-wait.tsx";
import { JUDGE_ACCESS } from "./judge-access.tsx";
import { KeptEdits } from "./kept-edits.tsx";
import { Missing } from "./missing.tsx";
import { OtherPreset } from "./other-preset.tsx";
import { PAID_MODELS } from "./paid-models.tsx";
import { SizeLine } from "./size-estimate.tsx";

export function StartBar() {
  const ready = useSession(canTrain);
  const probing = useSession((session) => session.probe.state === "probing");
  const size = useSession((session) => session.size);
  // While the GPU is probed, the button itself says so.
  const hindered = useSession((session) => (canTrain(session) ? trainingBlocked(session) : ""));
  const draft = useDraft((state) => state.draft);
  const unopened = useJudgeObstacle(draft);
  const unpaid = useModelObstacle(draft);
  const misfit = useDraft(({ draft }) => (draft ? misfitObstacle(draft) : ""));
  const blocked = useDraft((state) => state.problems.length > 0 || !state.draft);
  const isMissing = useMissingCode();
  // The page may never request a GPU, and the message above explains what to do.
  if (probing && isMissing) return null;
  if (!ready && !probing)
    return (
      <>
        {obstacle(size) && !blocked && <SizeLine size={size} />}
        <button
          type="button"
          className="btn"
          onClick={() => {
            setUi({ trainTab: "charts" });
            requestAnimationFrame(showAnswer);
          }}
        >
          Why can't I train?
        </button>
      </>
    );
  return (
    <>
      {/* A draft with problems has no size: that known last is of another draft. */}
      {!blocked && <SizeLine size={size} />}
      {probing && <GpuWait />}
      {hindered && (
        <p className="text-caption text-warning" role="status">
          {hindered} Stop the run there or close that tab to train here.
        </p>
      )}
      <KeptEdits />
      {!blocked && <SecondLook />}
      {misfit && !blocked && <PolicyMisfit what={misfit} />}
      {unopened && !blocked && <Missing what={unopened} place={JUDGE_ACCESS} />}
      {unpaid && !blocked && <Missing what={unpaid} place={PAID_MODELS} />}
      <button
        type="button"
        className="btn btn-primary h-9 w-full"
        disabled={
          probing || blocked || [hindered, misfit, unopened, unpaid].some(Boolean) || obstacle(size) !== null
        }
        onClick={startRun}
        title="Start (S)"
      >
        <Play size={15} aria-hidden /> {probing ? "Checking your GPU…" : "Start training"}
      </button>
    </>
  );
}

/** What a field says that deserves a second look and may be out of view, and the way to it. */
export function SecondLook() {
  const draft = useDraft((state) => state.draft);
  const caution = useMemo(() => draft && cautionBeforeStart(draft), [draft]);
  if (!caution) return null;
  return (
    <div className="text-caption text-warning" role="status">
      <p>{caution.text}</p>
      <button type="button" className="underline underline-offset-2" onClick={() => focusField(caution.path)}>
        Go to {formText([setting(caution.path)])}
      </button>
    </div>
  );
}

/** Goes to the explanation, which is outlined while it has the focus: it may be on screen already. */
function showAnswer(): void {
  const answer = document.getElementById("unsupported");
  answer?.scrollIntoView();
  answer?.focus({ preventScroll: true });
}

/** What else the run can start from, a click each. */
export function PolicyMisfit({ what }: { what: string }) {
  const fitting = useDraft(({ draft }) => draft && bundledStart(draft));
  return (
    <div className="text-caption text-warning" role="status">
      <p>{what}</p>
      {fitting && <StartFromOther checkpoint={fitting.id} title={`“${fitting.title}”`} />}
      <OtherPreset />
      <StartFromOther checkpoint="" title="random weights (SFT first)" />
    </div>
  );
}

function StartFromOther({ checkpoint, title }: { checkpoint: string; title: string }) {
  return (
    <button
      type="button"
      className="btn btn-small mt-1 mr-1 py-1 text-left whitespace-normal"
      onClick={() => editField("trainer.init_checkpoint", checkpoint)}
    >
      Start from {title}
    </button>
  );
}
