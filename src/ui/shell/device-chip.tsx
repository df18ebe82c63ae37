// The GPU that trains, or why there is none.
import { Chip } from "../components/controls.tsx";
import { useSession } from "../store/session-store.ts";

export default function DeviceChip() {
  const probe = useSession((session) => session.probe);
  if (probe.state === "probing")
    return (
      <span className="hidden sm:inline-flex">
        <Chip>Checking your GPU…</Chip>
      </span>
    );
  const { available, device, reason } = probe.gpu;
  if (!available)
    return (
      <Chip tone="warning" title={reason}>
        No GPU<span className="max-sm:visually-hidden"> training</span>
      </Chip>
    );
  const name =
    device?.description || [device?.vendor, device?.architecture].filter(Boolean).join(" ") || "GPU";
  return (
    <span className="hidden sm:inline-flex">
      <Chip
        tone={device?.software ? "warning" : "ok"}
        title={device?.software ? "A software adapter: everything works, slowly." : name}
      >
        {device?.software ? "Software GPU" : <span className="max-w-[22ch] truncate">{name}</span>}
      </Chip>
    </span>
  );
}
