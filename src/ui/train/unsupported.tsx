// Why training is not possible here, and what still is.
import { MonitorX } from "lucide-react";
import { CopyButton } from "../components/copy-button.tsx";
import { useSession } from "../store/session-store.ts";

export function Unsupported() {
  const probe = useSession((session) => session.probe);
  if (probe.state !== "ready" || probe.gpu.available) return null;
  const { reason, hint } = probe.gpu;
  return (
    <section
      id="unsupported"
      tabIndex={-1}
      className="card mx-auto flex w-full max-w-2xl scroll-m-4 flex-col gap-3 p-6 focus:outline-2 focus:outline-accent"
      aria-label="Training is not possible here"
    >
      <MonitorX size={28} aria-hidden className="text-warning" />
      <h2 className="text-h2 font-semibold">Training needs WebGPU</h2>
      <p>
        {reason} {hint}
      </p>
      <div className="text-dense">
        <p className="mb-1 font-semibold">What helps</p>
        <ul className="list-disc pl-5">
          <li>
            Chrome or Edge 113 or newer on a desktop, 121 or newer on Android; recent Safari or Firefox.
          </li>
          <li>Graphics acceleration switched on in the browser's settings, with a current driver.</li>
          <li>
            A secure address: <code>https://</code> or <code>localhost</code>.
          </li>
        </ul>
      </div>
      <p className="text-dense text-muted">
        Everything else works: look at the levels of each task, read about every setting, and prepare a
        configuration for a machine that can train it.
      </p>
      <div>
        <CopyButton text={() => diagnostic(reason)}>Copy diagnostic</CopyButton>
      </div>
    </section>
  );
}

/** For a bug report. */
function diagnostic(reason: string): string {
  return [
    `VAGEN Studio cannot train here: ${reason}`,
    `navigator.gpu: ${"gpu" in navigator ? "present" : "absent"}`,
    `secure context: ${isSecureContext}`,
    `browser: ${navigator.userAgent}`,
  ].join("\n");
}
