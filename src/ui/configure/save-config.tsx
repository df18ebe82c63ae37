// The draft as a YAML file, which "From a file…" and the command line read, and as VAGEN's files.
import { Suspense, useState } from "react";
import { withoutStaleDescription } from "../../config/expected-time.ts";
import { chosenFile } from "../../config/init-checkpoint.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { Dialog } from "../components/controls.tsx";
import { NotLoaded } from "../components/not-loaded.tsx";
import { room } from "../lib/room.tsx";
import { saveFile } from "../lib/save-file.ts";
import { type DraftState, useDraft } from "../store/draft-store.ts";
import { showRefusal } from "../store/session-store.ts";

/** Saves the draft as a file of the studio's, or as VAGEN's files, once nothing is wrong with it. */
export function SaveConfigButtons() {
  const draft = useDraft((state) => state.draft);
  const base = useDraft((state) => state.base);
  const [isForVagen, setForVagen] = useState(false);
  const save = async () => {
    try {
      if (!draft) return;
      const text = await configText(withoutStaleDescription(draft, base ?? draft));
      saveFile(configFileName(draft), new Blob([text], { type: "text/yaml" }));
    } catch (error) {
      // The writer is loaded on demand.
      showRefusal(error);
    }
  };
  return (
    <>
      <SaveButton
        name="Save as a file"
        about="Save this configuration as a YAML file, for this page or the command line"
        onClick={() => void save()}
      />
      <SaveButton
        name="Save for VAGEN…"
        about="Save this configuration as files that VAGEN reads"
        onClick={() => setForVagen(true)}
      />
      {draft && isForVagen && (
        <Suspense>
          <VagenDialog config={withoutFile(draft)} onClose={() => setForVagen(false)} />
        </Suspense>
      )}
    </>
  );
}

const VagenDialog = room(
  () => import("./vagen-dialog.tsx"),
  ({ onClose }) => (
    <Dialog title="Save for VAGEN" open onClose={onClose}>
      <NotLoaded what="The export for VAGEN" />
    </Dialog>
  ),
);

function SaveButton({ name, about, onClick }: { name: string; about: string; onClick: () => void }) {
  const sound = useDraft(canSave);
  return (
    <button
      type="button"
      className="rounded text-caption text-accent underline underline-offset-2 disabled:text-muted disabled:no-underline"
      disabled={!sound}
      title={sound ? about : "Change the values that need your attention first"}
      onClick={onClick}
    >
      {name}
    </button>
  );
}

/** Whether there is a draft and nothing is wrong with it: a file with problems could not be opened again. */
export const canSave = ({ draft, problems }: Pick<DraftState, "draft" | "problems">): boolean =>
  draft !== null && problems.length === 0;

/** "frozenlake-nano.yaml" for the name "FrozenLake nano". */
export function configFileName({ name }: Pick<RunConfig, "name">): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${plain || "configuration"}.yaml`;
}

/** The configuration in YAML. A checkpoint that was chosen as a file has an address in this page only: a comment names it instead. */
export async function configText(config: RunConfig): Promise<string> {
  const { formatRunConfig } = await import("../../config/yaml.ts");
  const file = chosenFile(config.trainer.init_checkpoint);
  if (!file) return formatRunConfig(config);
  const note = `# It started from the checkpoint file ${JSON.stringify(file.name)}: choose that file again under "Start from".\n`;
  return note + formatRunConfig(withoutFile(config));
}

/** The configuration without a checkpoint that was chosen as a file. */
const withoutFile = (config: RunConfig): RunConfig =>
  chosenFile(config.trainer.init_checkpoint)
    ? { ...config, trainer: { ...config.trainer, init_checkpoint: "" } }
    : config;
