// How often the rule that judges statements about the cells beside the player gives the expected answer.
import type { GroundTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { type AnsweredCase, type Groups, type Measured, measureVerdicts } from "../judge/measure.ts";
import { judgeSurroundings } from "../judge/surroundings.ts";

interface NeighbourCase extends AnsweredCase {
  envId: "frozenlake" | "sokoban";
}

type Row = [answer: "yes" | "no", text: string];

/** The edge above the player, a hole below, ice on the left and the goal on the right. */
const LAKE: GroundTruth = {
  rows: 4,
  cols: 4,
  player: [0, 1],
  entities: { goal: [[0, 2]], hole: [[1, 1]] },
};

/** A wall above the player, a box before a wall below, a box with room behind it on the left, floor on the right. */
const ROOM: GroundTruth = {
  rows: 6,
  cols: 6,
  player: [1, 3],
  entities: {
    box: [
      [2, 3],
      [1, 2],
    ],
    target: [[4, 4]],
    wall: [[3, 3]],
  },
};

// YES is expected if all four neighbours are stated, and rightly.
const lake: readonly Row[] = [
  ["yes", "up edge, down hole, left free, right goal"],
  ["yes", "goal is same row 1 right ; up edge, down hole, left free, right goal ; so move Right"],
  ["yes", "Up edge, Down hole, Left free, Right goal."],
  ["yes", "up: edge, down: hole, left: free, right: goal"],
  ["yes", "right goal, left free, up edge and down hole"],
  ["yes", "up edge, down hole, left free, right goal ; not left hole"],
  ["no", "up free, down hole, left free, right goal"],
  ["no", "up hole, down edge, left goal, right free"],
  ["no", "up edge, down hole, left free"],
  ["no", "goal is same row 1 right ; so move Right"],
  ["no", ""],
  ["no", "not up edge, down hole, left free, right goal"],
  ["no", "up edge or free, down hole, left free, right goal"],
  ["no", "up edge ; up free ; down hole ; left free ; right goal"],
  ["no", "up edge, down hole, left free, right goal ; not down hole"],
  ["no", "maybe up edge, maybe down hole, left free, right goal"],
  ["no", "up edge, down isn't hole, left free, right goal"],
  ["no", "up edge, down hole, left free, right goal? I do not know."],
  // Written when the rule was finished, without influence on it.
  ["yes", "Above me is the edge, below me a hole, on my left free ice and on my right the goal."],
  ["yes", "edge up, hole down, free left, goal right"],
  ["yes", "up is the edge, down is a hole, left is free, right is the goal"],
  ["no", "Going down would be fine, the hole is on the left; up edge, right goal."],
  ["no", "up edge, down hole, left free, right goal was what I thought, but it is all wrong"],
];

const room: readonly Row[] = [
  ["yes", "up wall, down stuck box, left box, right free"],
  ["yes", "box is 1 down ; up wall, down stuck box, left box, right free ; so push Left"],
  ["yes", "UP WALL, DOWN STUCK BOX, LEFT BOX, RIGHT FREE"],
  ["yes", "up: wall; down: stuck box; left: box; right: free"],
  ["no", "up wall, down box, left stuck box, right free"],
  ["no", "up wall, down box, left box, right free"],
  ["no", "up wall, down stuck box, left box, right wall"],
  ["no", "up wall, down stuck box, left box or stuck box, right free"],
  ["no", "up wall, neither down stuck box nor left box, right free"],
  ["no", "up wall, down stuck box, left box, right free, right box"],
  ["no", "I push the box to the left."],
  // Written when the rule was finished, without influence on it.
  ["yes", "There is a wall above me, a stuck box below, a box on my left and free floor on my right."],
  ["yes", "up=wall, down=stuck box, left=box, right=free"],
  ["no", "up wall, down stuck box, left box, right free of boxes, but there is a wall"],
  ["no", "It is false that up wall, down stuck box, left box, right free."],
];

const SETS = [
  ["frozenlake", LAKE, lake],
  ["sokoban", ROOM, room],
] as const;

const cases: readonly (NeighbourCase & { truth: GroundTruth })[] = SETS.flatMap(([envId, truth, rows]) =>
  rows.map(([answer, text], i) => ({
    id: `${envId}/neighbours/${i + 1}`,
    envId,
    isRight: answer === "yes",
    text,
    truth,
  })),
);

const GROUPS: Groups<NeighbourCase> = SETS.map(([envId]) => [
  `${envs.get(envId).title}, neighbours`,
  (known) => known.envId === envId,
]);

/** How often the rule that judges statements about the neighbours of the player gives the expected answer. */
export function measureNeighbours(): Measured & { claims: number } {
  const verdicts = cases.map(({ envId, text, truth }) =>
    judgeSurroundings(text, truth, envs.get(envId).surroundings!),
  );
  return { ...measureVerdicts(cases, verdicts, GROUPS), claims: cases.length };
}
