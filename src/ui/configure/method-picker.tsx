// VAGEN's methods: one choice lays the settings of one over the draft.
import type { ReactNode } from "react";
import { getPath } from "../../config/changes.ts";
import { settingTitle } from "../../config/describe.ts";
import type { Method } from "../../config/methods.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { listed } from "../../core/format.ts";
import { statingParts } from "../../core/formats.ts";
import { Explain } from "../components/controls.tsx";
import { onDemand } from "../lib/on-demand.ts";
import { valueText } from "../settings/words.ts";
import { editFields, useDraft } from "../store/draft-store.ts";

/** The methods come with a reader of YAML, so they are loaded after the page. */
const useMethods = onDemand(() => import("../../config/methods.ts"));

export function MethodPicker() {
  const known = useMethods();
  const draft = useDraft((state) => state.draft);
  const base = useDraft((state) => state.base);
  if (!draft || !base) return null;
  const method = known?.methodOf(draft);
  return (
    <div className="mt-3">
      <div className="mb-1 flex items-center gap-1">
        <label className="text-caption text-muted" htmlFor="method">
          Method
        </label>
        <AboutMethods>
          {method && !touches(method, draft, base) && <Others method={method} draft={draft} />}
        </AboutMethods>
      </div>
      <select
        id="method"
        className="field-input w-full"
        value={method?.id ?? ""}
        disabled={!known}
        onChange={(event) => known && editFields(known.methods.get(event.target.value).changes)}
      >
        {!method && <option value="">{known ? "Custom" : "…"}</option>}
        {known?.methods.all.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {known && <Description method={method} draft={draft} base={base} />}
    </div>
  );
}

function AboutMethods({ children }: { children: ReactNode }) {
  return (
    <Explain about="Methods">
      <p className="mb-1 font-semibold">VAGEN's methods</p>
      <p>
        Six are those of the paper's comparison, two are of 2026. Each sets the masks, the estimator, the
        policy loss, the turn rewards, the episodes per level, the means of the losses and the reasoning
        reward, and leaves everything else as it is. “Custom” means that the settings match no method. Undo
        reverts a method in one step.
      </p>
      {children}
    </Explain>
  );
}

/** The method's description, and what the user has made of it. How a preset as it came differs from the comparison is no news here. */
export function Description({
  method,
  draft,
  base,
}: {
  method: Method | undefined;
  draft: RunConfig;
  base: RunConfig;
}) {
  if (!method) return <p className="mt-1.5 text-caption text-muted">These settings match no method.</p>;
  const changes = changesText(method, draft, base);
  return (
    <div className="mt-1.5 text-caption text-muted">
      <p>
        {method.description}
        {method.changes["reward.use_state_reward"] === true && ` ${claimsText(draft)}`}
      </p>
      {(changes || !othersText(method, draft)) && (
        <p className="mt-1 text-text" data-testid="method-changes">
          {changes ? `Changed: ${changes}.` : "The preset has these settings already."}
        </p>
      )}
      {touches(method, draft, base) && <Others method={method} draft={draft} />}
    </div>
  );
}

/** Which claims the method can reward in this draft. */
function claimsText({ rollout }: RunConfig): string {
  const claims = statingParts(rollout.prompt_format);
  if (claims.length === 0) return "Replies in the chosen format claim nothing.";
  return `The claims of the chosen format: ${listed(claims.map((claim) => CLAIMS[claim]))}.`;
}

const CLAIMS = {
  observation: "what the state is (observation)",
  prediction: "where the actions lead (prediction)",
} as const;

/** In what the draft differs from the method as it was compared, and the way there. */
function Others({ method, draft }: { method: Method; draft: RunConfig }) {
  const others = othersText(method, draft);
  if (!others) return null;
  return (
    <div className="mt-1" data-testid="method-others">
      <p>{`The studio's comparison of methods uses other settings than this draft, which has ${others}.`}</p>
      <button type="button" className="btn btn-small mt-1" onClick={() => editFields(method.changes)}>
        Train as in the comparison
      </button>
    </div>
  );
}

/** Whether the user has changed anything that the method sets. */
const touches = ({ changes }: Method, draft: RunConfig, base: RunConfig): boolean =>
  Object.keys(changes).some((path) => getPath(draft, path) !== getPath(base, path));

const settingsText = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([path, value]) => `${settingTitle(path)}: ${valueText(path, value)}`).join("; ");

/** "Estimator: GRPO; Episodes per level: 8": the method's settings that the draft has and `base` has not. */
export const changesText = ({ changes }: Method, draft: RunConfig, base: RunConfig): string =>
  settingsText(
    Object.entries(changes).filter(
      ([path, value]) => getPath(draft, path) === value && getPath(base, path) !== value,
    ),
  );

/** "Loss mean: All tokens": what the draft has in place of the method's settings. */
export const othersText = ({ changes }: Method, draft: RunConfig): string =>
  settingsText(
    Object.entries(changes).flatMap(([path, value]) => {
      const own = getPath(draft, path);
      return own === value ? [] : [[path, own] as const];
    }),
  );
