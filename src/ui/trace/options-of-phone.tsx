// Tools and legend of a trace, which would fill the screen of a phone before the first turn.
import { type ReactNode, useState } from "react";

/** Shows its children, on a phone only after its button was pressed. */
export function OptionsOfPhone({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-small my-2 w-fit sm:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        View and legend
      </button>
      <div className={isOpen ? "contents" : "contents max-sm:hidden"}>{children}</div>
    </>
  );
}
