// The focus after a question is closed, where the button that asked it was made again or has gone meanwhile.

/**
 * Puts the focus, if it is on nothing, on the button that asked, or on the list that the button was in.
 * @param asker `data-asks` of the button
 */
export function focusBack(list: HTMLElement | null, asker: string): void {
  if (!list || ![null, document.body].includes(document.activeElement as HTMLElement | null)) return;
  const button = list.querySelector<HTMLElement>(`button[data-asks="${CSS.escape(asker)}"]:enabled`);
  // It may be on a line that opens by now.
  button?.closest("details")?.setAttribute("open", "");
  // The list takes the focus by script only, not with the Tab key.
  if (!button) list.tabIndex = -1;
  (button ?? list).focus({ preventScroll: true });
}
