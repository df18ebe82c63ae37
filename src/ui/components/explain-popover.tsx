// The popover behind an ⓘ: loaded when somebody first asks.
import * as Popover from "@radix-ui/react-popover";
import type { ReactElement, ReactNode } from "react";

export default function ExplainPopover({
  about,
  trigger,
  children,
}: {
  about: string;
  /** The button that asked; it keeps the focus order and closes the popover again. */
  trigger: ReactElement;
  children: ReactNode;
}) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover text-dense"
          sideOffset={4}
          collisionPadding={12}
          aria-label={about}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
