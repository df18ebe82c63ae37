// Preferences: stored on this device, never part of a run.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { HeatMapId, XAxis, XRange } from "./view-options.ts";

export type Theme = "system" | "light" | "dark";
export type TrainTab = "configure" | "charts" | "episodes";
export type PictureView = "agent" | "debug";

interface UiState {
  configureOpen: boolean;
  episodesOpen: boolean;
  trainTab: TrainTab;
  showAllFields: boolean;
  chartX: XAxis;
  chartRange: XRange;
  /** EMA factor for all charts; null is each metric's own. */
  smoothing: number | null;
  chartGroupsClosed: readonly string[];
  heatMap: HeatMapId;
  /** The token numbers as a table instead of coloured text. */
  traceTable: boolean;
  picture: PictureView;
  /** Single-letter shortcuts can be switched off (WCAG 2.1.4). */
  shortcuts: boolean;
}

const initial: UiState = {
  configureOpen: true,
  episodesOpen: true,
  trainTab: "charts",
  showAllFields: false,
  chartX: "update",
  chartRange: "stage",
  smoothing: null,
  chartGroupsClosed: [],
  heatMap: "advantage",
  traceTable: false,
  picture: "agent",
  shortcuts: true,
};

export const useUi = create<UiState>()(persist(() => initial, { name: "vagen-ui", version: 1 }));
export function setUi(change: Partial<UiState>): void {
  useUi.setState(change);
}

const THEME_KEY = "vagen-theme";

/** The chosen theme; public/before-paint.js applies the same key before the first paint. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    if (stored === "light" || stored === "dark") return stored;
  } catch {
    // Storage can be blocked.
  }
  return "system";
}

/** Applies and stores a theme. `system` removes the choice, and the browser's preference applies again. */
export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage can be blocked; the theme then lasts for this visit.
  }
  window.dispatchEvent(new Event("themechange"));
}
