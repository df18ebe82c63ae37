// A button that opens the browser's file dialog.
import { FileUp } from "lucide-react";
import { useRef } from "react";

/** `name` is that of the hidden file field; `accept` has its endings, such as ".jsonl". */
export function FileButton({
  name,
  accept,
  title,
  onFile,
  children,
}: {
  name: string;
  accept: string;
  title?: string;
  onFile: (file: File) => void;
  children: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn btn-small flex-none"
        title={title}
        onClick={() => input.current?.click()}
      >
        <FileUp size={14} aria-hidden /> {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={name}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}
