// What the browser or the studio says about an error in its own words: folded, and copied with one click.
import { Copy } from "lucide-react";
import { useState } from "react";

export function Details({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(`${text}\n${navigator.userAgent}`).then(() => setCopied(true));
  return (
    <details className="mt-1">
      <summary className="w-fit rounded text-muted">Technical details</summary>
      <code className="mt-1 block max-h-40 overflow-auto break-words whitespace-pre-wrap">{text}</code>
      <button type="button" className="btn btn-small mt-1 mb-1" onClick={() => void copy()}>
        <Copy size={14} aria-hidden /> {copied ? "Copied" : "Copy details"}
      </button>
    </details>
  );
}
