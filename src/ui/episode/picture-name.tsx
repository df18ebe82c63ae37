// Labels pictures in environments where the agent draws, because the target and the drawing look alike.
import type { SceneTruth } from "../../core/types.ts";
import { envs } from "../../envs/registry.ts";

interface PictureNameProps {
  /** The environment of the state. */
  envId: string;
  /** The state on the picture; null before there is one. */
  truth: SceneTruth | null;
}

/** Above the picture; nothing for environments in which nothing is drawn. */
export const PictureName = (props: PictureNameProps) => <NameLine name={pictureName(props)} />;

/** A name above a picture; nothing if it is empty. */
export const NameLine = ({ name }: { name: string }) =>
  name && <p className="mb-1 text-caption font-semibold">{name}</p>;

/** The name of the target or of the drawing; empty for environments without drawings. */
export function pictureName({ envId, truth }: PictureNameProps): string {
  const drawings = envs.all.find(({ id }) => id === envId)?.drawings;
  if (!drawings) return "";
  return truth && drawings.codes(truth) ? drawings.names.drawing : drawings.names.target;
}
