// How large the draft is on this GPU, and what helps when it is too large.
import { TriangleAlert } from "lucide-react";
import type { MemoryPlan } from "../../training/events.ts";
import { Explain } from "../components/controls.tsx";
import { formatBytes, formatCount, formatPercent } from "../lib/format.ts";
import { obstacle, type SizeEstimate } from "../store/session-store.ts";

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
  if (size.state !== "known") return null;
  const { plan } = size;
  return (
    <p className="nums flex items-center gap-1 text-caption text-muted" data-testid="size-estimate">
      <span>
        {formatCount(plan.parameters)} parameters · {formatBytes(plan.total)} GPU
      </span>
      <Explain about="GPU memory">
        <PlanParts plan={plan} />
      </Explain>
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
