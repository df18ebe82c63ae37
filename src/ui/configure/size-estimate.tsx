// How large the draft is on this GPU, and what helps when it is too large.
import { TriangleAlert } from "lucide-react";
import type { MemoryPlan } from "../../training/events.ts";
import { Explain } from "../components/controls.tsx";
import { formatBytes, formatCount, formatPercent } from "../lib/format.ts";
import { obstacle, type SizeEstimate, useSession } from "../store/session-store.ts";

export function SizeLine({ size }: { size: SizeEstimate }) {
  const problem = obstacle(size);
  if (problem)
    return (
      <p className="flex gap-1.5 text-caption text-danger" role="alert">
        <TriangleAlert size={14} aria-hidden className="mt-px flex-none" />
        <span>
          {problem.tooLarge ? "Too large for this GPU. " : ""}
          {problem.message} {problem.hint}
        </span>
      </p>
    );
  if (size.state === "measuring") return <p className="text-caption text-muted">Measuring the GPU memory…</p>;
  if (size.state !== "known") return null;
  const { plan } = size;
  return (
    <>
      <SlowHere parameters={plan.parameters} />
      <p className="nums flex items-center gap-1 text-caption text-muted" data-testid="size-estimate">
        <span>
          {formatCount(plan.parameters)} parameters · {formatBytes(plan.total)} GPU
        </span>
        <Explain about="GPU memory">
          <PlanParts plan={plan} />
        </Explain>
      </p>
    </>
  );
}

/**
 * Parameters from which a software adapter needs minutes for an update. It does some 4e9 operations a second
 * (`policy/wgsl/generator.ts`); an update of the smallest `base` preset, with 3.3 million parameters, takes over 1e12.
 */
const MANY_PARAMETERS = 1e6;

/** Presets of size `base` are made for graphics cards, which the page may not have. */
function SlowHere({ parameters }: { parameters: number }) {
  const isSoftware = useSession(
    ({ probe }) => probe.state === "ready" && probe.gpu.device?.software === true,
  );
  if (!isSoftware || parameters < MANY_PARAMETERS) return null;
  return (
    <p className="flex gap-1.5 text-caption text-warning" role="status" data-testid="slow-here">
      <TriangleAlert size={14} aria-hidden className="mt-px flex-none" />
      <span>
        Too slow for this GPU: it is a software adapter, which computes on the processor. With{" "}
        {formatCount(parameters)} parameters one update takes many minutes here, and a whole run days. Choose
        a nano or small preset, or a computer with a graphics card.
      </span>
    </p>
  );
}

/** Where the memory goes, largest part first. */
function PlanParts({ plan }: { plan: MemoryPlan }) {
  const parts = Object.entries(plan.parts).sort(([, a], [, b]) => b - a);
  return (
    <>
      <p className="mb-2 font-semibold">
        {formatBytes(plan.total)} of GPU memory, {formatCount(plan.parameters)} parameters
      </p>
      <table className="nums w-full">
        <tbody>
          {parts.map(([name, bytes]) => (
            <tr key={name}>
              <td className="pr-3">{name.replaceAll("_", " ")}</td>
              <td className="pr-3 text-right">{formatBytes(bytes)}</td>
              <td className="text-right text-muted">{formatPercent(bytes / plan.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-muted">
        Largest buffer: {formatBytes(plan.largestBuffer)}; this GPU allows {formatBytes(plan.limit)} for one.
      </p>
    </>
  );
}
