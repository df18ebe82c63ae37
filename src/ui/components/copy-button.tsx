// A button that copies a text, and says so.
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
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text()).then(() => setCopied(true));
  return (
    <button type="button" className={`btn ${small ? "btn-small" : ""}`} onClick={() => void copy()}>
      <Copy size={14} aria-hidden /> {copied ? "Copied" : children}
    </button>
  );
}
