// The user's own models that compare drawings, and which of them runs are paid by. They are kept in memory only, until the page is
// reloaded or closed.
import { create } from "zustand";
import { paidModels, type WeighedModel } from "../../config/paid-models.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { type SimilarityModel, similarityTitles } from "../../worker/onnx-protocol.ts";
import type { RunSupplies } from "../../worker/protocol.ts";
import { isActive, type RunView } from "./run-view.ts";

type Models = Readonly<Record<string, SimilarityModel>>;

/** Models that can be used, each under its kind. */
export const useSimilarity = create<Models>(() => ({}));

/** Takes a model in place of the one of its kind. */
export function takeModel(model: SimilarityModel): void {
  useSimilarity.setState({ [model.kind]: model });
}

/** Forgets the model of a kind. The worker may still have it open. */
export function dropModel(kind: string): void {
  const { [kind]: _, ...others } = useSimilarity.getState();
  useSimilarity.setState(others, true);
}

/** Kinds of the models that a run pays, each once. */
export const paidKinds = (config: RunConfig): string[] => [
  ...new Set(paidModels(config).map(({ kind }) => kind)),
];

/** Kinds of those among them that were not chosen. */
export const missingKinds = (config: RunConfig, models: Models = useSimilarity.getState()): string[] =>
  paidKinds(config).filter((kind) => !models[kind]);

/** Kinds of the models that the run on screen has open: its worker keeps those that it pays. */
export const kindsInRun = ({ state, config }: Pick<RunView, "state" | "config">): string[] =>
  config && isActive(state) ? paidKinds(config) : [];

/** What goes to the worker with a start; nothing for a run that pays no model. */
export function modelsFor(config: RunConfig): Pick<RunSupplies, "models"> {
  const models = useSimilarity.getState();
  const chosen = paidKinds(config).flatMap((kind) => models[kind] ?? []);
  return chosen.length > 0
    ? { models: Object.fromEntries(chosen.map(({ kind, file }) => [kind, file])) }
    : {};
}

/** Why a run cannot be paid as its configuration says; empty when it can. */
export function modelObstacle(config: RunConfig, models: Models = useSimilarity.getState()): string {
  const missing = paidModels(config).find(({ kind }) => !models[kind]);
  return missing ? notChosen(missing) : "";
}

function notChosen({ kind, weight }: WeighedModel): string {
  const title = similarityTitles.find(({ id }) => id === kind)!.title;
  return `The weight of ${title} is ${weight}, but no ${title} model is chosen. Choose its ONNX file.`;
}

/** The same for a component, which is drawn again when a model is chosen. */
export function useModelObstacle(config: RunConfig | null): string {
  return useSimilarity((models) => (config ? modelObstacle(config, models) : ""));
}
