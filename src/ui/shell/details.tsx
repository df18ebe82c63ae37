// What the browser or the studio says about an error in its own words: folded, and copied with one click.
import { CopyButton } from "../components/copy-button.tsx";

export function Details({ text }: { text: string }) {
  return (
    <details className="mt-1">
      <summary className="w-fit rounded text-muted">Technical details</summary>
      <code className="mt-1 block max-h-40 overflow-auto break-words whitespace-pre-wrap">{text}</code>
      <p className="py-1">
        <CopyButton text={() => `${text}\n${navigator.userAgent}`} small>
          Copy details
        </CopyButton>
      </p>
    </details>
  );
}
