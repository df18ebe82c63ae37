// Small controls that every room uses. Native elements wherever the platform has the thing; Radix where it has not.
import { Info } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";

type IconComponent = React.ComponentType<{ size?: number; "aria-hidden"?: boolean }>;

/** A button that is only a picture: its name is for assistive technology and shows on hover. */
export function IconButton({
  icon: Icon,
  name,
  small = false,
  pressed,
  ...button
}: {
  icon: IconComponent;
  name: string;
  small?: boolean;
  pressed?: boolean;
} & Omit<React.ComponentProps<"button">, "name" | "children">) {
  return (
    <button
      type="button"
      className={`btn btn-quiet btn-icon ${small ? "btn-small" : ""}`}
      aria-label={name}
      aria-pressed={pressed}
      title={name}
      {...button}
    >
      <Icon size={small ? 15 : 17} aria-hidden />
    </button>
  );
}

const ExplainPopover = lazy(() => import("./explain-popover.tsx"));

/** A small ⓘ that explains the thing beside it. What it takes to open a popover is loaded with the first one. */
export function Explain({
  about,
  label,
  children,
}: {
  about: string;
  /** Words before the sign. They open the explanation, too, and are the button's name. */
  label?: ReactNode;
  children: ReactNode;
}) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className="inline-flex h-6 min-w-6 flex-none items-center justify-center gap-1 rounded-full text-muted hover:text-text"
      aria-label={label ? undefined : `About ${about}`}
      aria-haspopup="dialog"
      onClick={() => setWanted(true)}
    >
      {label}
      <Info size={14} aria-hidden />
    </button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <ExplainPopover about={about} trigger={button}>
        {children}
      </ExplainPopover>
    </Suspense>
  );
}

interface Choice<T extends string> {
  value: T;
  label: ReactNode;
  /** Why it cannot be chosen; empty or absent when it can. */
  disabledBecause?: string;
}

/** One of a few, all in view: native radio buttons, so arrow keys and names come from the platform. */
export function Segmented<T extends string>({
  name,
  value,
  choices,
  onChange,
  className = "",
}: {
  name: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  className?: string;
}) {
  const group = useId();
  return (
    <fieldset className={`segmented ${className}`}>
      <legend className="visually-hidden">{name}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="segment"
          title={choice.disabledBecause ? `Not available: ${choice.disabledBecause}` : undefined}
        >
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            value={choice.value}
            checked={choice.value === value}
            disabled={Boolean(choice.disabledBecause)}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

/** A switch: on or off, at once. */
export function Switch({
  checked,
  onChange,
  id,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  id?: string;
}) {
  return (
    <input
      {...(id ? { id } : {})}
      type="checkbox"
      role="switch"
      aria-checked={checked}
      className="switch"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** Grey shapes in the place of what is loading, announced once to assistive technology. */
export function Skeleton({
  what,
  count,
  className,
  item,
}: {
  what: string;
  count: number;
  className: string;
  item: string;
}) {
  return (
    <div className={className} role="status">
      <span className="visually-hidden">{what}</span>
      {Array.from({ length: count }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes without identity
        <div key={n} className={`skeleton ${item}`} />
      ))}
    </div>
  );
}

/** A part of the page that scrolls by itself, and can be reached and scrolled with the keyboard. */
export function ScrollRegion({
  name,
  className,
  children,
}: {
  name: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus its content could not be scrolled by keys
    <section aria-label={name} className={`overflow-auto ${className}`} tabIndex={0}>
      {children}
    </section>
  );
}

/** A dialog by the platform's own element: focus is kept inside and returned afterwards. */
export function Dialog({
  title,
  open,
  onClose,
  wide = false,
  isQuestion = false,
  children,
}: {
  title: string;
  open: boolean;
  onClose: () => void;
  /** For tables: as wide as the text of a page. */
  wide?: boolean;
  /** Its own buttons close it. */
  isQuestion?: boolean;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  // After each render, because a list that changes its order moves the dialogs in it. One that was moved keeps its attribute, and is no longer
  // modal: what is behind it would take its clicks.
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.matches(":modal")) {
      dialog.removeAttribute("open");
      dialog.showModal();
    }
    if (!open && dialog?.open) dialog.close();
  });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the topmost dialog by itself; a handler here would close another one, too.
    <dialog
      ref={ref}
      // React passes this event on from a question inside, which must not close what it was asked in.
      onClose={(event) => event.target === ref.current && onClose()}
      // A click on the backdrop is a click on the dialog itself.
      onClick={(event) => event.target === ref.current && onClose()}
      aria-label={title}
      className={`m-auto ${wide ? "w-[min(860px,calc(100vw-24px))]" : "w-[min(560px,calc(100vw-24px))]"} rounded-lg border border-line-strong bg-surface p-0 text-text backdrop:bg-[rgb(0_0_0/0.45)]`}
    >
      {open && (
        <div className="p-5">
          <div className="mb-3 flex items-center justify-between gap-4">
            <h2 className="text-h2 font-semibold">{title}</h2>
            {!isQuestion && (
              <button type="button" className="btn btn-small" onClick={onClose}>
                Close
              </button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** A question before something that is not easily undone: what will happen, and the two answers. */
export function Confirm({
  title,
  open,
  onClose,
  yes,
  no,
  onYes,
  children,
}: {
  title: string;
  open: boolean;
  onClose: () => void;
  yes: string;
  no: string;
  onYes: () => void;
  children: ReactNode;
}) {
  const keep = useRef<HTMLButtonElement>(null);
  // After the dialog has opened, which focuses its first button: Enter must not do what is not easily undone.
  useEffect(() => {
    if (open) keep.current?.focus();
  }, [open]);
  return (
    <Dialog title={title} open={open} onClose={onClose} isQuestion>
      <p className="mb-4 text-body">{children}</p>
      <div className="flex gap-2">
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            onClose();
            onYes();
          }}
        >
          {yes}
        </button>
        <button type="button" className="btn" onClick={onClose} ref={keep}>
          {no}
        </button>
      </div>
    </Dialog>
  );
}

/** A calm face for a place that has nothing to show yet, or cannot. */
export function EmptyState({
  title,
  children,
  icon: Icon,
}: {
  title: string;
  children?: ReactNode;
  icon?: IconComponent;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center text-muted">
      {Icon && <Icon size={28} aria-hidden />}
      <p className="text-body font-semibold text-text">{title}</p>
      {children && <div className="max-w-[52ch] text-dense">{children}</div>}
    </div>
  );
}

/** A labelled piece of text as small as a word. */
export function Chip({
  children,
  tone = "plain",
  title,
}: {
  children: ReactNode;
  tone?: "plain" | "ok" | "warning" | "danger" | "accent";
  title?: string;
}) {
  const tones = {
    plain: "border-line bg-panel text-muted",
    ok: "border-transparent bg-ok-wash text-ok",
    warning: "border-transparent bg-warning-wash text-warning",
    danger: "border-transparent bg-danger-wash text-danger",
    accent: "border-transparent bg-accent-wash text-accent",
  };
  return (
    <span
      className={`inline-flex h-6 flex-none items-center gap-1.5 rounded-full border px-2.5 text-caption font-semibold whitespace-nowrap ${tones[tone]}`}
      title={title}
    >
      {children}
    </span>
  );
}
