// The GPU that trains, or why there is none. Opens the check of the GPU.
import { Chip } from "../components/controls.tsx";
import { useLate } from "../components/use-late.ts";
import { GPU_PATIENCE_MS, GPU_WAIT } from "../configure/gpu-wait.tsx";
import { useMissingCode } from "../lib/missing-code.ts";
import { openGpuCheck } from "../store/check-store.ts";
import { useSession } from "../store/session-store.ts";

export default function DeviceChip() {
  const probe = useSession((session) => session.probe);
  const isMissing = useMissingCode();
  // Without that code, the page has not requested a GPU.
  if (probe.state === "probing") return isMissing ? null : <Checking />;
  const { available, device, reason } = probe.gpu;
  if (!available)
    return (
      <Chip tone="warning" title={reason}>
        No GPU<span className="max-sm:visually-hidden"> training</span>
      </Chip>
    );
  const name =
    device?.description || [device?.vendor, device?.architecture].filter(Boolean).join(" ") || "GPU";
  const about = device?.software ? "A software adapter: everything works, slowly." : `${name}.`;
  return (
    <button
      type="button"
      className="hidden rounded-full sm:inline-flex"
      title={`${about} Check this GPU…`}
      onClick={openGpuCheck}
    >
      <Chip tone={device?.software ? "warning" : "ok"}>
        {device?.software ? "Software GPU" : <span className="max-w-[22ch] truncate">{name}</span>}
      </Chip>
    </button>
  );
}

function Checking() {
  const late = useLate(GPU_PATIENCE_MS);
  return (
    <span className="hidden sm:inline-flex">
      <Chip title={late ? GPU_WAIT : ""}>{late ? "Still opening your GPU…" : "Checking your GPU…"}</Chip>
    </span>
  );
}
