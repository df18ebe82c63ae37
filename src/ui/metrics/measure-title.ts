// Names of what environments measure of their states.
import { envs } from "../../envs/index.ts";

/** What a measure is called, as beside the drawing that it measures; its name where no environment gives it a title. */
export const measureTitle = (name: string): string =>
  envs.all.flatMap(({ drawings }) => drawings?.measures ?? []).find(([, fact]) => fact === name)?.[0] ?? name;
