// Other stored runs beside the one on screen: which ones, how well they do, and which settings differ.
import { X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { diffConfigs, isDescription, WHOLE } from "../../config/changes.ts";
import { furtherEntries } from "../../config/entries.ts";
import { INIT_CHECKPOINT } from "../../config/init-checkpoint.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { sftUpdates } from "../../config/run-length.ts";
import { message, setting, value } from "../../core/message.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { Dialog, IconButton } from "../components/controls.tsx";
import { useNow } from "../components/use-now.ts";
import { counted, formatAgo } from "../lib/format.ts";
import { usePhone } from "../lib/use-media.ts";
import { formText } from "../settings/words.ts";
import {
  comparedWith,
  compareWith,
  MOST_COMPARED,
  stampOf,
  useCompared,
  viewOfStored,
} from "../store/compared-runs.ts";
import { updateOfStored } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { useSession } from "../store/session-store.ts";
import { shownSuccess, storedSuccess } from "../store/success.ts";
import { COMPARED_LOOKS, type ComparedRun } from "./compared.ts";
import { DashedMark } from "./dashed-mark.tsx";

interface Compared extends ComparedRun {
  readonly run: StoredRun;
}

/** The runs that the charts draw beside the one on screen: the same objects until the choice or what is stored changes. */
export function useComparedRuns(): readonly Compared[] {
  const stored = useSession((session) => session.stored);
  const places = useCompared((state) => state.places);
  const shown = useRun((view) => view.runId);
  const drawn = comparedWith(stored, places, shown);
  const content = drawn.map(({ run, place }) => `${place} ${stampOf(run)}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read again every few seconds while another tab trains
  return useMemo(
    () =>
      drawn.map(({ run, place }) => {
        const { letter, color, dash } = COMPARED_LOOKS[place]!;
        return { run, label: `${letter}: ${run.name}`, color, dash, view: viewOfStored(run) };
      }),
    [content],
  );
}

const COMPARE_BUTTON = "compare-runs";

/** Opens the choice of runs; absent where no other run is stored. */
export function CompareButton() {
  const shown = useRun((view) => view.runId);
  const others = useSession(({ stored }) => stored.some(({ runId }) => runId !== shown));
  const [isOpen, setOpen] = useState(false);
  if (!others) return null;
  return (
    <>
      <button
        type="button"
        id={COMPARE_BUTTON}
        className="btn btn-small"
        title="Draw other stored runs beside this one"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Compare…
      </button>
      <Dialog title="Compare with other runs" open={isOpen} onClose={() => setOpen(false)} wide>
        <Choice />
      </Dialog>
    </>
  );
}

/** All other stored runs, newest first. */
export function Choice() {
  const stored = useSession((session) => session.stored);
  const shown = useRun((view) => view.runId);
  // In several environments the chart of success has a curve for each.
  const single = useRun(({ config }) =>
    config && furtherEntries(config).length > 0 ? "Entropy" : "Success rate",
  );
  const now = useNow(AGING_MS);
  const places = useCompared((state) => state.places);
  const drawn = comparedWith(stored, places, shown).map(({ place }) => place);
  const isFull = drawn.length >= MOST_COMPARED;
  return (
    <>
      <p className="text-dense text-muted">
        Choose up to {MOST_COMPARED} runs. A chart with a single curve, such as {single}, then also shows the
        curve of each of them. A chart with several curves or parts, such as Return by part, still shows this
        run alone. SFT and PPO of a chosen run begin where those of this run begin, and its validations are
        points without intervals.
      </p>
      <ul className="mt-2 flex max-h-[60dvh] flex-col overflow-auto">
        {stored
          .filter(({ runId }) => runId !== shown)
          .map((run) => (
            <li key={run.runId} className="border-t border-line py-2">
              <label className="flex items-baseline gap-2">
                <input
                  type="checkbox"
                  checked={places.includes(run.runId)}
                  disabled={isFull && !places.includes(run.runId)}
                  onChange={(event) => compareWith(run.runId, event.target.checked, drawn)}
                />
                <span className="min-w-0">
                  <strong className="font-semibold">{run.name}</strong>
                  <span className="text-muted">, saved {formatAgo(Math.max(0, now - run.savedAt))}</span>
                  <span className="nums block text-dense text-muted">{reached(run)}</span>
                  <Differences run={run} brief />
                </span>
              </label>
            </li>
          ))}
      </ul>
    </>
  );
}

/** How often ages are written again, in milliseconds. */
const AGING_MS = 10_000;

/** The runs that are drawn, under the tools of the charts. */
export function ComparedRuns({ runs }: { runs: readonly Compared[] }) {
  const own = useRun(shownSuccess);
  const now = useNow(AGING_MS);
  if (runs.length === 0) return null;
  return (
    <ul aria-label="Compared runs" className="nums flex flex-col gap-1.5 text-dense">
      <li>
        <strong className="font-semibold">This run</strong>
        <span className="text-muted">{own && `: ${own}`}</span>
      </li>
      {runs.map(({ run, label, color, dash }) => (
        <li key={run.runId} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <DashedMark color={color} dash={dash} /> <strong className="font-semibold">{label}</strong>
            <span className="text-muted">
              : {reached(run)}; saved {formatAgo(Math.max(0, now - run.savedAt))}
            </span>{" "}
            <Differences run={run} />
          </div>
          <IconButton
            icon={X}
            name={`Stop comparing with ${label}`}
            small
            onClick={() => {
              compareWith(run.runId, false, []);
              // The button goes with its run, and would take the focus with it.
              document.getElementById(COMPARE_BUTTON)?.focus();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** What a stored run had reached, in the words of its own stages. */
const reached = (run: StoredRun): string =>
  storedSuccess(run, (update) => updateOfStored(run, update).name) || "no success yet";

/** Differences that are named at once. */
const NAMED = 5;

/**
 * What a run has set otherwise than the run on screen. Above the charts of a phone the lists of three runs would fill it.
 * @param brief counts what is beyond the first few; else it can be shown
 */
function Differences({ run, brief = false }: { run: StoredRun; brief?: boolean }) {
  const config = useRun((view) => view.config);
  const texts = useMemo(() => (config ? differences(config, run.config) : []), [config, run]);
  const phone = usePhone();
  const [named, others] = [texts.slice(0, NAMED), texts.slice(NAMED)];
  if (!config) return null;
  if (texts.length === 0) return <span className="block">It has the same settings as this run.</span>;
  if (phone && !brief)
    return <More summary={counted(texts.length, "different setting")}>{texts.join("; ")}.</More>;
  return (
    <>
      <span className="block">
        Different settings: {named.join("; ")}
        {brief && others.length > 0 ? `; ${others.length} more.` : "."}
      </span>
      {!brief && others.length > 0 && <More summary={`${others.length} more`}>{others.join("; ")}.</More>}
    </>
  );
}

function More({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit rounded text-muted">{summary}</summary>
      <p>{children}</p>
    </details>
  );
}

/** "“Actor learning rate” 0.0004 in place of 0.001", for each setting that differs. */
function differences(shown: RunConfig, other: RunConfig): string[] {
  const changes = diffConfigs(shown, other).filter(({ path }) => !isDescription(path));
  const haveSft = [shown, other].every((config) => sftUpdates(config) > 0);
  const isOtherTask = changes.some(({ path }) => path === "env.name");
  return (
    changes
      // Options of another environment say nothing about this one's.
      .filter(({ path }) => !isOtherTask || !path.startsWith("env.config."))
      // Without SFT they have no effect.
      .filter(({ path }) => haveSft || !path.startsWith("sft."))
      // What a run starts from makes the greatest difference.
      .sort((a, b) => Number(b.path === INIT_CHECKPOINT) - Number(a.path === INIT_CHECKPOINT))
      .map(({ path, from, to }) =>
        formText(
          WHOLE.includes(path)
            ? message`other ${setting(path)}`
            : message`${setting(path)} ${value(path, to)} in place of ${value(path, from)}`,
        ),
      )
  );
}
