/**
 * Whether the visitor's browser asks pages to save data, as Android's Data Saver does. Then the page loads code when it is needed and
 * makes no copy of itself.
 */
export const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
