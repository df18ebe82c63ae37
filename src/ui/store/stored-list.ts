// Whether the list of stored runs is open. The buttons that open it come and go with the panels, the list stays.
import { create } from "zustand";

interface StoredList {
  readonly isOpen: boolean;
}

export const useStoredList = create<StoredList>()(() => ({ isOpen: false }));
export const openStoredList = (): void => useStoredList.setState({ isOpen: true });
export const closeStoredList = (): void => useStoredList.setState({ isOpen: false });
