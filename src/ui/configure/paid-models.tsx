// Where the user chooses the models that a run pays for what they say of drawings.
import type { RunConfig } from "../../config/run-config.ts";
import { similarityTitles } from "../../worker/onnx-protocol.ts";
import { ModelRow } from "../episode/model-row.tsx";
import { paidKinds } from "../store/similarity-store.ts";

export const PAID_MODELS = "paid-models";

/** The models that the draft pays; nothing is shown where it pays none. */
export function PaidModels({ config }: { config: RunConfig }) {
  const kinds = paidKinds(config);
  if (kinds.length === 0) return null;
  return (
    <div id={PAID_MODELS} className="mt-1 rounded border border-line bg-panel p-2">
      <ModelRows kinds={kinds} />
    </div>
  );
}

/** A row for each of these kinds. */
export default function ModelRows({ kinds }: { kinds: readonly string[] }) {
  const chosen = similarityTitles.filter(({ id }) => kinds.includes(id));
  return (
    <div className="flex flex-col gap-2 text-dense">
      <p className="text-caption text-muted">
        Drawings also earn a reward for their similarity to the icon, as computed by{" "}
        {chosen.map(({ title }) => title).join(" and ")}. Choose an image encoder as an ONNX file. It runs on
        your processor, which takes one to two seconds per drawing for a small model. No file leaves this
        machine; after a reload, choose it again.
      </p>
      {chosen.map(({ id, title }) => (
        <ModelRow key={id} kind={id} title={title} />
      ))}
    </div>
  );
}
