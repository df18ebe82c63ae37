// Claims with expected answers, to measure judges: two games, two claims, three ways of writing, right and wrong. VAGEN tests
// its judges in the same way (80 cases, YES or NO); boards, words and answers are made by hand. YES is expected if everything
// that matters is placed, and placed correctly.
import type { GroundTruth } from "../core/types.ts";
import { takeBoard } from "./board.ts";
import type { Claim, JudgeQuestion } from "./judge.ts";

/** How a claim is written. */
type Style = "natural" | "structured" | "symbolic";

export interface JudgeCase {
  /** `frozenlake/observation/natural/1`. */
  id: string;
  game: "frozenlake" | "sokoban";
  claim: Claim;
  style: Style;
  /** YES is expected. */
  isRight: boolean;
  question: JudgeQuestion;
}

interface BoardOf {
  game: JudgeCase["game"];
  rows: readonly string[];
}

const BOARDS = {
  // The gift is three down, three right.
  far: { game: "frozenlake", rows: ["P___", "_O_O", "___O", "O__G"] },
  // Two down, one right.
  near: { game: "frozenlake", rows: ["____", "_OPO", "___O", "O__G"] },
  // Two to the right in the same row.
  beside: { game: "frozenlake", rows: ["____", "_O_O", "___O", "OP_G"] },
  // Two up, two left.
  back: { game: "frozenlake", rows: ["G__", "__O", "__P"] },
  // The crate is next to the player on the right; the target one down, two right.
  push: { game: "sokoban", rows: ["######", "#____#", "#_PX_#", "#___O#", "#____#", "######"] },
  // The crate is straight above; the target two up, one left.
  under: { game: "sokoban", rows: ["######", "#O___#", "#_X__#", "#_P__#", "#____#", "######"] },
  // Two crates, one straight to the right and one below right; both targets below right.
  two: { game: "sokoban", rows: ["######", "#P_X_#", "#____#", "#_XO_#", "#__O_#", "######"] },
  // The crate is on its target, straight above.
  done: { game: "sokoban", rows: ["######", "#____#", "#__√_#", "#__P_#", "#____#", "######"] },
} satisfies Record<string, BoardOf>;

type Row = [board: keyof typeof BOARDS, answer: "yes" | "no", text: string];
type Rows = Readonly<Record<Style, readonly Row[]>>;

const lakeObservations: Rows = {
  natural: [
    ["far", "yes", "The gift is below me and to the right."],
    ["far", "yes", "I am in the upper left corner of the lake; the goal is down right of me."],
    ["far", "no", "The gift is above me and to the left."],
    ["far", "no", "The goal is not far away, I only have to be careful with the holes."],
    [
      "near",
      "yes",
      "The goal is below and slightly to the right of the player. There are holes on my left and right.",
    ],
    ["near", "no", "The goal is to the left of the player, there are holes around."],
    ["near", "yes", "The present glitters two steps beneath me and one to the east."],
    ["beside", "yes", "The target is directly to the right, in my row."],
    ["beside", "no", "The target is directly above me."],
    ["beside", "no", "You are to the right of the goal."],
    ["back", "yes", "The goal is up and to the left of me, and there is a hole directly above."],
    ["back", "yes", "I stand to the lower right of the gift."],
    ["beside", "no", "The goal is to the left or to the right of me."],
  ],
  structured: [
    ["far", "yes", '{"player": (0, 0), "target": (3, 3)}'],
    ["far", "no", '{"player": (0, 0), "target": (3, 2)}'],
    ["near", "yes", '{"player": [1, 2], "goal": [3, 3], "holes": [[1, 1], [1, 3], [2, 3], [3, 0]]}'],
    ["near", "no", '{"player": [2, 1], "goal": [3, 3]}'],
    [
      "beside",
      "yes",
      "{'player_position': {'row': 3, 'column': 1}, 'goal_position': {'row': 3, 'column': 3}}",
    ],
    ["back", "no", '{"player": [2, 2]}'],
  ],
  symbolic: [
    ["far", "yes", "P _ _ _\n_ O _ O\n_ _ _ O\nO _ _ G"],
    ["far", "no", "_ P _ _\n_ O _ O\n_ _ _ O\nO _ _ G"],
    ["near", "yes", "____\n_OPO\n___O\nO__G"],
    ["back", "no", "___\n__O\nG_P"],
  ],
};

const lakePredictions: Rows = {
  natural: [
    ["near", "yes", "After moving I will be above the goal, a little to its left."],
    ["near", "no", "After moving I will be below the goal."],
    ["near", "no", "I will move down and get closer to the goal."],
    ["beside", "yes", "The player will be in the same row as the goal, with the goal to the right."],
    ["beside", "yes", "I will stand left of the gift."],
    ["beside", "no", "I will stand right next to the gift, which is then on my left."],
    ["back", "yes", "The goal will be above left of me."],
    ["back", "no", "The goal will be above right of me."],
    ["back", "no", "I will be on the goal."],
    ["far", "yes", "I bump into the edge and stay where I am, so the goal is still down and to the right."],
    ["far", "no", "The gift will be directly below me."],
    ["far", "yes", "It takes three more steps down and three to the right from there to the gift."],
  ],
  structured: [
    ["near", "yes", '{"player": (1, 2), "target": (3, 3)}'],
    ["near", "no", '{"player": (1, 3), "target": (3, 3)}'],
    ["beside", "yes", "player at row 3 col 1 ; goal at row 3 col 3"],
    ["beside", "no", "player at row 3 col 2 ; goal at row 3 col 3"],
    ["back", "yes", '```json\n{"player": [2, 2], "goal": [0, 0]}\n```'],
    ["back", "no", '{"player": [0, 2], "goal": [2, 0]}'],
  ],
  symbolic: [
    ["near", "yes", "_ _ _ _\n_ O P O\n_ _ _ O\nO _ _ G"],
    ["near", "no", "_ _ _ _\n_ O _ O\n_ _ P O\nO _ _ G"],
    ["beside", "no", "_ _ _ _\n_ O _ O\n_ _ _ O\nO _ _ √"],
    ["back", "yes", "G__ / __O / __P"],
  ],
};

const roomObservations: Rows = {
  natural: [
    ["push", "yes", "The box is directly to the right of me and the target is to the right and below."],
    ["push", "no", "The box is directly to the left of me and the target is to the right and below."],
    ["push", "no", "The box is to the right of me."],
    ["push", "no", "I see a box and a target in a small room with brick walls."],
    [
      "push",
      "yes",
      "The crate touches my right hand; the target is one row lower and two columns further to the right than me.",
    ],
    ["under", "yes", "The box is above the player. The target is above and to the left of the player."],
    ["under", "no", "The box is below the player. The target is above and to the left of the player."],
    ["under", "yes", "You are below the box, and also below the target."],
    [
      "two",
      "yes",
      "One box is to the right of me and the other box is below me. Both targets are below right.",
    ],
    ["two", "no", "Both boxes are above me and the targets are below right."],
    ["done", "yes", "The box is above me and so is the target: the box is on the target."],
    ["done", "no", "The box is left of me and the target is above me."],
  ],
  structured: [
    ["push", "yes", '{"player": (2, 2), "box": (2, 3), "target": (3, 4)}'],
    ["push", "no", '{"player": (2, 2), "box": (3, 2), "target": (3, 4)}'],
    [
      "under",
      "yes",
      '[{"object_id": "box", "vertical_relation": "above", "horizontal_relation": "same"}, {"object_id": "target", "vertical_relation": "above", "horizontal_relation": "left"}]',
    ],
    [
      "under",
      "no",
      '[{"object_id": "box", "vertical_relation": "same", "horizontal_relation": "right"}, {"object_id": "target", "vertical_relation": "above", "horizontal_relation": "left"}]',
    ],
    ["two", "yes", '{"player": [1, 1], "boxes": [[3, 2], [1, 3]], "targets": [[4, 3], [3, 3]]}'],
    ["two", "no", '{"player": [1, 1], "boxes": [[1, 3]], "targets": [[4, 3], [3, 3]]}'],
  ],
  symbolic: [
    ["push", "yes", "# # # # # #\n# _ _ _ _ #\n# _ P X _ #\n# _ _ _ O #\n# _ _ _ _ #\n# # # # # #"],
    ["push", "no", "# # # # # #\n# _ _ _ _ #\n# _ P X _ #\n# _ _ O _ #\n# _ _ _ _ #\n# # # # # #"],
    ["done", "yes", "######\n#____#\n#__√_#\n#__P_#\n#____#\n######"],
    ["done", "no", "######\n#____#\n#__X_#\n#__P_#\n#____#\n######"],
  ],
};

const roomPredictions: Rows = {
  natural: [
    ["push", "yes", "After the push the box will be to my right and the target will be right and below."],
    ["push", "no", "After the push the box will be above me and the target will be right and below."],
    ["push", "no", "I will push the box right so that it gets closer to the target."],
    ["under", "yes", "I will be directly under the box, and the target will be up left of me."],
    ["under", "no", "I will be directly over the box, and the target will be up left of me."],
    ["under", "no", "The box will be above me and the target will be above me on the right."],
    ["done", "yes", "The box will be above me, and the target will be above me as well."],
    ["done", "no", "The box will be above me and the target to the right of me."],
    ["two", "yes", "The boxes will be: right, below right. The targets will be: below right, below right."],
    ["two", "no", "The boxes will be: left, below right. The targets will be: below right, below right."],
    ["done", "yes", "The crate will have arrived: it sits on the target, straight ahead of me to the north."],
    ["done", "no", "The box and the target will not be above me."],
    ["under", "yes", "The box is going to be right above me, the target above me and to the left."],
  ],
  structured: [
    ["push", "yes", "player at row 2 col 2 ; box at row 2 col 3 ; target at row 3 col 4"],
    ["push", "no", "player at row 2 col 3 ; box at row 2 col 4 ; target at row 3 col 4"],
    ["under", "yes", '{"box": "directly above", "target": "above left"}'],
    ["under", "no", '{"box": "directly above", "target": "above right"}'],
    ["done", "yes", "{{'player': (3, 3), 'box': (2, 3), 'target': (2, 3)}}"],
    ["done", "no", '{"player": [3, 3], "box": [1, 3], "target": [2, 3]}'],
  ],
  symbolic: [
    ["under", "yes", "######\n#O___#\n#_X__#\n#_P__#\n#____#\n######"],
    ["under", "no", "######\n#O___#\n#_P__#\n#____#\n#____#\n######"],
    ["two", "yes", "The room will look like this:\n######\n#P_X_#\n#____#\n#_XO_#\n#__O_#\n######"],
    ["two", "no", "The room will look like this:\n######\n#P_X_#\n#____#\n#__√_#\n#__O_#\n######"],
  ],
};

const SETS = [
  ["frozenlake", "observation", lakeObservations],
  ["frozenlake", "prediction", lakePredictions],
  ["sokoban", "observation", roomObservations],
  ["sokoban", "prediction", roomPredictions],
] as const;

/** Everything that a claim has to place. */
const NAMES = { frozenlake: ["player", "goal"], sokoban: ["player", "box", "target"] } as const;

/** All cases. */
export const judgeCases: readonly JudgeCase[] = SETS.flatMap(([game, claim, byStyle]) =>
  (["natural", "structured", "symbolic"] as const).flatMap((style) =>
    byStyle[style].map(([board, answer, text], i) => ({
      id: `${game}/${claim}/${style}/${i + 1}`,
      game,
      claim,
      style,
      isRight: answer === "yes",
      question: { claim, text, truth: truthOf(BOARDS[board]), names: NAMES[game] },
    })),
  ),
);

/** The state that a drawn board shows. */
function truthOf({ game, rows: lines }: BoardOf): GroundTruth {
  const kinds = game === "sokoban" ? ["box", "target", "wall"] : ["goal", "hole"];
  const [rows, cols] = [lines.length, lines[0]!.length];
  const drawn = takeBoard(lines.join("\n"), { rows, cols, kinds })!.places;
  const inside = ([row, col]: readonly [number, number]) =>
    row > 0 && col > 0 && row < rows - 1 && col < cols - 1;
  // The outer wall is no fact of a state: it is always there.
  const cells = (name: string) => (drawn.get(name) ?? []).filter((cell) => name !== "wall" || inside(cell));
  return {
    rows,
    cols,
    player: drawn.get("player")![0]!,
    entities: Object.fromEntries(kinds.map((name) => [name, cells(name)])),
  };
}
