// What agents say and read in SpatialGym: claims, and the longest texts that they meet.
import type { WorldWords } from "../env.ts";
import { tangentOf } from "../navigation/pose.ts";
import { spatialClaims } from "./claims.ts";
import { QUESTION_KINDS, type SpatialGymConfig } from "./config.ts";
import { isPassive, scriptText, viewsShown } from "./passive.ts";
import { MAP_QUESTION, questionText } from "./questions.ts";

/** Any object: every name is one word. */
const NAME = "sofa";

const repeated = (text: string, count: number): string[] => Array.from({ length: count }, () => text);

/** The longest question of each kind is as long as any other of it. */
const asked = (task: SpatialGymConfig["task"]): string[] => {
  if (task === "map") return [MAP_QUESTION];
  const kinds = task === "questions" ? QUESTION_KINDS : [task];
  return kinds.map((kind) => questionText(kind, repeated(NAME, 3)));
};

/** What comes before the question where the agent does not explore. */
const scripted = (config: SpatialGymConfig): string =>
  isPassive(config) ? `${scriptText(repeated(NAME, config.rooms - 1))}; ` : "";

const longestView = ({ objects, task }: SpatialGymConfig): string =>
  repeated(`${NAME} 10 ahead 10 right${task === "map" ? " facing ahead" : ""}`, objects).join("\n");

export const spatialGymWords: WorldWords<SpatialGymConfig> = {
  id: "spatial-gym",
  claimRules: ({ fov }) => spatialClaims(tangentOf(fov)),
  questions: (config) =>
    asked(config.task).map(
      (question) => `${scripted(config)}${repeated(NAME, config.objects).join(", ")}: ${question}`,
    ),
  longestText: (config) => repeated(longestView(config), viewsShown(config)).join("\n\n"),
};
