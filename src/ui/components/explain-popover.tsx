// The popover behind an ⓘ: loaded when one is first opened.
import * as Popover from "@radix-ui/react-popover";
import type { ReactElement, ReactNode } from "react";

export default function ExplainPopover({
  about,
  trigger,
  children,
}: {
  about: string;
  /** The button that opened it; it keeps its place in the focus order and closes the popover. */
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
