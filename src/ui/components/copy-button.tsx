// A button that copies a text, and reports whether the browser allowed it.
import { Copy } from "lucide-react";
import { useState } from "react";

export function CopyButton({
  text,
  small = false,
  children,
}: {
  text: () => string;
  small?: boolean;
  children: string;
}) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      // Absent on pages that are not served from https or localhost.
      await navigator.clipboard.writeText(text());
      setOutcome("Copied");
    } catch {
      setOutcome("The browser does not allow copying");
    }
  };
  return (
    <button type="button" className={`btn ${small ? "btn-small" : ""}`} onClick={() => void copy()}>
      <Copy size={14} aria-hidden /> {outcome || children}
    </button>
  );
}
