// One long-lived condition: what it is, in words and a tone, and what can be done about it.
import { Info, OctagonAlert, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../components/controls.tsx";

type Tone = "info" | "warning" | "danger";

const LOOKS = {
  info: { icon: Info, box: "border-accent bg-accent-wash", mark: "text-accent" },
  warning: { icon: TriangleAlert, box: "border-warning bg-warning-wash", mark: "text-warning" },
  danger: { icon: OctagonAlert, box: "border-danger bg-danger-wash", mark: "text-danger" },
} as const;

export function Notice({
  tone,
  title,
  children,
  actions,
  folded = false,
  onDismiss,
}: {
  tone: Tone;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Only the title is shown until it is opened. */
  folded?: boolean;
  onDismiss?: () => void;
}) {
  const { icon: Icon, box, mark } = LOOKS[tone];
  return (
    <div
      className={`flex items-start gap-3 rounded-lg border-l-4 px-3 py-2.5 ${box}`}
      role={tone === "danger" ? "alert" : "status"}
    >
      <span className={`mt-0.5 flex-none ${mark}`}>
        <Icon size={17} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 text-dense">
        {folded ? (
          <details>
            <summary className="rounded text-body font-semibold">{title}</summary>
            <div className="max-w-[90ch]">{children}</div>
          </details>
        ) : (
          <>
            <p className="text-body font-semibold">{title}</p>
            <div className="max-w-[90ch]">{children}</div>
          </>
        )}
        {actions && <div className="notice-actions mt-2 flex flex-wrap gap-2 empty:hidden">{actions}</div>}
      </div>
      {onDismiss && <IconButton icon={X} name="Dismiss" small onClick={onDismiss} />}
    </div>
  );
}
