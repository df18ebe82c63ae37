// A button that opens the browser's file dialog.
import { FileUp } from "lucide-react";
import { useRef } from "react";

/** `name` is that of the hidden file field; `accept` has its endings, such as ".jsonl". With `multiple`, `onFile` gets all files at once. */
export function FileButton({
  name,
  accept,
  title,
  multiple = false,
  disabled = false,
  onFile,
  children,
}: {
  name: string;
  accept: string;
  title?: string;
  multiple?: boolean;
  disabled?: boolean;
  onFile: (file: File, ...others: File[]) => void;
  children: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn btn-small flex-none"
        title={title}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <FileUp size={14} aria-hidden /> {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={name}
        onChange={({ target }) => {
          const [file, ...others] = target.files ?? [];
          if (file) onFile(file, ...others);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}
