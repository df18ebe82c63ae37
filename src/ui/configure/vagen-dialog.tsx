// The draft as VAGEN's files, with what VAGEN would do otherwise.
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { exportWithNotes, type VagenExport } from "../../config/vagen/export.ts";
import { GENERATION_NAMES, type VagenGeneration } from "../../config/vagen/key-mapping.ts";
import { shortValue } from "../../config/vagen/report.ts";
import { serializeError } from "../../core/errors.ts";
import { Dialog, Segmented } from "../components/controls.tsx";
import { counted } from "../lib/format.ts";
import { saveFile } from "../lib/save-file.ts";
import { wholeText } from "../settings/words.ts";

const GENERATIONS: readonly VagenGeneration[] = ["lite", "legacy"];

interface VagenDialogProps {
  config: RunConfig;
  onClose: () => void;
}

export default function VagenDialog({ config, onClose }: VagenDialogProps) {
  const [generation, setGeneration] = useState<VagenGeneration>("lite");
  const written = useMemo(() => tryExport(config, generation), [config, generation]);
  return (
    <Dialog title="Save for VAGEN" open onClose={onClose} wide>
      <p className="mb-3 max-w-[72ch] text-dense text-muted">
        With these files, VAGEN trains a pretrained model on the same tasks, and with the same method as far
        as it has the settings. <em>From a file…</em> reads them back.
      </p>
      <Segmented
        name="Release of VAGEN"
        value={generation}
        choices={GENERATIONS.map((value) => ({ value, label: GENERATION_NAMES[value] }))}
        onChange={setGeneration}
      />
      {typeof written === "string" ? (
        <p role="alert" className="mt-4 text-dense text-danger">
          {written}
        </p>
      ) : (
        <Written {...written} />
      )}
    </Dialog>
  );
}

/** The files, or why there are none. */
function tryExport(config: RunConfig, generation: VagenGeneration): VagenExport | string {
  try {
    return exportWithNotes(config, generation);
  } catch (error) {
    return wholeText(serializeError(error));
  }
}

export function Written({ files, comments, otherwise, toPrepare }: VagenExport) {
  return (
    <div className="mt-4 flex flex-col gap-3 text-dense">
      {toPrepare.length > 0 && (
        <ul aria-label="Before VAGEN can run them" className="list-disc pl-5">
          {toPrepare.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
      )}
      {otherwise.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded">
            VAGEN would train differently: it has no key or value for {counted(otherwise.length, "setting")}.
          </summary>
          <ul className="mt-1.5 max-h-[30dvh] overflow-auto rounded-md border border-line px-3 py-1.5">
            {otherwise.map(({ path, value }) => (
              <li key={path} className="break-words">
                <code className="font-mono text-caption">{path}</code>{" "}
                <span className="nums font-semibold">{shortValue(value)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {comments > 0 && (
        <p className="text-muted">
          {counted(comments, "setting")} that VAGEN has no key or value for {comments === 1 ? "is" : "are"}{" "}
          kept as comments, which VAGEN skips and the studio reads.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {files.map(({ name, text }) => (
          <button
            key={name}
            type="button"
            className="btn"
            onClick={() => saveFile(name, new Blob([text], { type: "text/yaml" }))}
          >
            <Download size={15} aria-hidden /> {name}
          </button>
        ))}
      </div>
    </div>
  );
}
