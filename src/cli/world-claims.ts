// Claims about worlds with expected answers. YES is expected if everything that a complete claim has is said, right within the tolerance of
// the world, and nothing is invented.
import type { TRUTHS } from "./world-truths.ts";

type Row = [truth: keyof typeof TRUTHS, answer: "yes" | "no", text: string];

export const views: readonly Row[] = [
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "yes", "Sees sofa 4 ahead 1 left. Target lamp 7 ahead 2 right."],
  ["room", "yes", "target lamp 6 ahead 1 right ; sees sofa 4 ahead 2 left"],
  [
    "room",
    "yes",
    "The lamp stands seven steps ahead and a little to the right; the sofa is nearer, on the left.",
  ],
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right"],
  ["room", "no", "target lamp 7 ahead 2 left ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 3 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target sofa 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; bed 2 ahead 0 right"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; sofa 9 back 9 left"],
  ["room", "no", "no target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target not seen ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 back 1 left"],
  ["room", "no", "There is a lamp somewhere in this room, and a sofa."],
  ["room", "yes", "target lamp 7 ahead, 2 right ; sees couch 1 left 4 ahead"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; piano 2 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; bed 2.5 ahead, 1 left"],
  ["unseen", "yes", "target not seen"],
  ["unseen", "yes", "target lamp not seen"],
  ["unseen", "yes", "I see nothing, target not seen."],
  ["unseen", "yes", "target not seen ; no objects are visible"],
  ["unseen", "no", "target not seen ; piano 3 ahead 0 right"],
  ["unseen", "no", "target lamp 7 ahead 2 right"],
  ["unseen", "no", "I turn around to look for the lamp."],
  // A denial of what is in view, alone and beside what contradicts it.
  ["room", "no", "I see nothing, target not seen."],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; no objects are visible"],
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left and nothing else is in view"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  [
    "room",
    "yes",
    "The lamp is 7 steps ahead and 2 steps to the right, and the sofa is 4 steps ahead and 1 step to the left.",
  ],
  [
    "room",
    "no",
    "The lamp is 7 steps ahead and 2 steps to the left, and the sofa is 4 steps ahead and 1 step to the right.",
  ],
  ["room", "yes", "Target lamp: seven ahead, two right; sees sofa: four ahead, one left."],
  ["room", "no", "Target lamp: seven ahead, two right; sees sofa: four behind, one left."],
  ["room", "yes", "sofa 4 ahead 1 left is nearer than target lamp 7 ahead 2 right"],
  ["room", "no", "target lamp 7 ahead 2 right or 7 ahead 2 left ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right ; the sofa is not visible"],
  ["unseen", "yes", "I can't see the lamp."],
  ["unseen", "no", "target lamp not seen ; sees sofa 4 ahead 1 left"],
  // In the order of demonstrations: what is in view, nearest first and with the target among it, and then the target.
  ["room", "yes", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target lamp 7 ahead 2 right"],
  ["room", "yes", "Sees sofa 4 ahead 1 left, lamp 7 ahead 2 right. Target lamp 7 ahead 2 right."],
  ["room", "yes", "sees couch 5 ahead 2 left ; lamp 6 ahead 1 right ; target lamp 6 ahead 1 right"],
  ["room", "yes", "sees lamp 7 ahead 2 right ; sofa 4 ahead 1 left ; target lamp 7 ahead 2 right"],
  ["room", "yes", "sees sofa 4 ahead 1 left ; target lamp 7 ahead 2 right"],
  // Both places of the lamp are near enough, though they are not the same.
  ["room", "yes", "sees sofa 4 ahead 1 left ; lamp 8 ahead 2 right ; target lamp 6 ahead 2 right"],
  // The list is right and the target is wrong, or the reverse.
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target lamp 7 ahead 2 left"],
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target lamp 4 ahead 1 left"],
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target sofa 4 ahead 1 left"],
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target bed 7 ahead 2 right"],
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right ; target not seen"],
  ["room", "no", "sees sofa 4 ahead 1 left ; lamp 3 ahead 2 right ; target lamp 7 ahead 2 right"],
  ["room", "no", "sees sofa 4 ahead 4 right ; lamp 7 ahead 2 right ; target lamp 7 ahead 2 right"],
  ["room", "no", "sees lamp 4 ahead 1 left ; sofa 7 ahead 2 right ; target lamp 4 ahead 1 left"],
  ["room", "no", "sees lamp 7 ahead 2 right ; target lamp 7 ahead 2 right"],
  ["room", "no", "sees bed 2 ahead 0 right ; sofa 4 ahead 1 left ; target lamp 7 ahead 2 right"],
  ["room", "no", "sees nothing ; target lamp 7 ahead 2 right"],
  ["passed", "yes", "sees sofa 4 ahead 1 left ; target lamp 5 back 0 right"],
  ["passed", "no", "sees sofa 4 ahead 1 left ; target lamp 5 ahead 0 right"],
  ["passed", "no", "sees sofa 4 ahead 1 left ; target not seen"],
  ["passed", "no", "target lamp 5 back 0 right"],
  // The lamp is in the right place, but it is not in view.
  ["passed", "no", "sees sofa 4 ahead 1 left ; lamp 5 back 0 right ; target lamp 5 back 0 right"],
  ["searching", "yes", "sees sofa 4 ahead 1 left ; target not seen"],
  ["searching", "yes", "sees sofa 4 ahead 1 left ; target lamp not seen"],
  ["searching", "no", "target not seen"],
  ["searching", "no", "sees sofa 4 ahead 1 left ; target sofa 4 ahead 1 left"],
  ["searching", "no", "sees sofa 4 ahead 1 left ; lamp 9 ahead 0 right ; target lamp 9 ahead 0 right"],
  ["searching", "no", "sees sofa 4 ahead 1 left ; lamp 5 back 0 right ; target lamp 5 back 0 right"],
  // In metres, with and without a second part. The lamp is 2.18 m away, the sofa 1.24 m.
  ["room", "yes", "The lamp is 2.2 metres ahead of me, and the sofa is ahead at a distance of 1.2 m."],
  ["room", "yes", "target lamp 2.1 m ahead and 0.6 m to the right ; sees sofa 1.2 m ahead 0.3 m left"],
  ["room", "no", "target lamp 2.2 m to the right ; sees sofa 1.2 m ahead"],
  ["room", "no", "target lamp 2.2 m ahead, 9 steps to the left ; sees sofa 1.2 m ahead"],
  // Written when the rule was finished, without influence on it.
  [
    "room",
    "yes",
    "I see the lamp seven steps ahead of me, two to my right, and a sofa four steps ahead, one to my left.",
  ],
  [
    "room",
    "no",
    "I see the lamp seven steps ahead of me, two to my right, and a sofa four steps ahead, one to my right, or maybe there is none.",
  ],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; no sofa is visible"],
  ["room", "no", "target lamp 7 steps in front of the sofa ; sees sofa 4 ahead 1 left"],
  ["room", "yes", "target lamp: ahead 7, right 2 ; sees sofa: ahead 4, left 1"],
  ["unseen", "yes", "The lamp is out of view."],
];

export const arrivals: readonly Row[] = [
  ["near", "yes", "target lamp 2 ahead 1 left"],
  ["near", "yes", "target lamp 3 ahead 0 right"],
  ["near", "yes", "After these steps: target lamp 2 ahead 1 left."],
  ["near", "yes", "I will stand two steps before the lamp, which is then slightly to my left."],
  ["near", "no", "target lamp 6 ahead 1 left"],
  ["near", "no", "target lamp 2 back 1 left"],
  ["near", "no", "target not seen"],
  ["near", "no", "target lamp 2 ahead 1 left ; target piano 2 ahead 1 left"],
  ["near", "no", "I will be much closer to the lamp."],
  ["near", "no", "target lamp 2 ahead 1 left ; nothing will be in view"],
  ["near", "no", "I will see nothing."],
  ["unseen", "yes", "target not seen ; nothing will be in view"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["near", "yes", "The lamp will be 2 steps ahead of me and 1 to the left."],
  ["near", "no", "The lamp will be 2 steps behind me and 1 to the left."],
  ["near", "no", "The lamp won't be 2 ahead 1 left."],
  ["near", "yes", "target lamp 2 ahead, 1 left (about 0.7 m away)"],
  // Written when the rule was finished, without influence on it.
  ["near", "no", "The lamp will be 2 steps ahead of me and far to the left."],
  ["near", "no", "target lamp 2 ahead 1 left ; or it may not be seen"],
];

export const workspaces: readonly Row[] = [
  ["cubes", "yes", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "yes", "Purple cube (10, 80, 20), red cube (62, -55, 20), green cube (-40, 30, 20)"],
  ["cubes", "yes", "red cube (70,-60,20) ; green cube (-35,25,20) ; purple cube (0,90,20)"],
  [
    "cubes",
    "yes",
    "The red cube is at x 62, y -55, the green one at x -40, y 30 and the purple one at x 10, y 80.",
  ],
  [
    "cubes",
    "yes",
    "The red cube is at (62, -55, 20), the green cube at (-40.0, 30.0, 20.0), the purple cube position: [10, 80, 20].",
  ],
  ["cubes", "no", "not red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (-40,30,20) ; green cube (62,-55,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20)"],
  ["cubes", "no", "red cube (62,-20,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; apple (0,0,20)"],
  ["cubes", "no", "red cube (62,-55,60) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "(62,-55,20) (-40,30,20) (10,80,20)"],
  ["cubes", "yes", "red cube (62.,-55,20) ; green cube (-4e1,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; piano (0,0,20)"],
  [
    "cubes",
    "no",
    "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; red target (0,0,20)",
  ],
  ["cubes", "no", "the big red cube is not at (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["drawer", "yes", "apple (-60,-160,35) ; drawer (-210,-300,250)"],
  ["drawer", "no", "pineapple (-60,-160,35) ; drawer (-210,-300,250)"],
  ["drawer", "no", "drawer (-60,-160,35) ; apple (-210,-300,250)"],
  // Dictionaries: as VAGEN writes them, as JSON and as Python prints them, and what policies get wrong in them.
  [
    "cubes",
    "yes",
    '{"red_cube_position": (62,-55,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "yes",
    '{\n  "purple_cube_position": [10, 80, 20],\n  "green_cube_position": [-40, 30, 20],\n  "red_cube_position": [62, -55, 20]\n}',
  ],
  [
    "cubes",
    "yes",
    "{'red_cube_position': (62.0, -55.0, 20.0), 'green_cube_position': (-40.0, 30.0, 20.0), 'purple_cube_position': (10.0, 80.0, 20.0)}",
  ],
  [
    "cubes",
    "yes",
    '{"red_cube": {"x": 62, "y": -55, "z": 20}, "green_cube": {"x": -40, "y": 30, "z": 20}, "purple_cube": {"x": 10, "y": 80, "z": 20}}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (-40,30,20), "green_cube_position": (62,-55,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-85,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-55,20), "green_cube_position": (-40,30,20), "purple_cube_position": None}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-55,20), "red_cube_position": (10,80,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  ["drawer", "yes", '{"apple_position": (-60,-160,35), "drawer_position": (-210,-300,250)}'],
  [
    "drawer",
    "no",
    '{"apple_position": (-60,-160,35), "drawer_position": (-210,-300,250), "bowl_position": (0,0,35)}',
  ],
  [
    "targets",
    "yes",
    '{"left_target_position": (0,-100,0), "right_target_position": (0,100,0), "red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}',
  ],
  [
    "targets",
    "no",
    '{"left_target_position": (0,100,0), "right_target_position": (0,-100,0), "red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}',
  ],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  [
    "cubes",
    "yes",
    "red cube: x=62, y=-55, z=20; green cube: x=-40, y=30, z=20; purple cube: x=10, y=80, z=20",
  ],
  [
    "cubes",
    "no",
    "red cube: x=-55, y=62, z=20; green cube: x=30, y=-40, z=20; purple cube: x=80, y=10, z=20",
  ],
  ["cubes", "yes", '{"red_cube": [62, -55, 20], "green_cube": [-40, 30, 20], "purple_cube": [10, 80, 20]}'],
  [
    "cubes",
    "yes",
    '{"red_cube": {"z": 20, "x": 62, "y": -55}, "green_cube": {"z": 20, "x": -40, "y": 30}, "purple_cube": {"z": 20, "x": 10, "y": 80}}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube": {"z": 62, "x": -55, "y": 20}, "green_cube": {"z": -40, "x": 30, "y": 20}, "purple_cube": {"z": 10, "x": 80, "y": 20}}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube": {"x": 62, "y": -55, "z": 20}, "green_cube": {"x": 30, "y": -40, "z": 20}, "purple_cube": {"x": 10, "y": 80, "z": 20}}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-55,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20), "left_target_position": (0,-100,0)}',
  ],
  [
    "targets",
    "yes",
    "left target (0,-100,0) ; right target (0,100,0) ; red cube (-90,20,20) ; green cube (75,-30,20)",
  ],
  [
    "targets",
    "no",
    "left target (0,100,0) ; right target (0,-100,0) ; red cube (-90,20,20) ; green cube (75,-30,20)",
  ],
  [
    "targets",
    "no",
    '{"left_target_position": (0,-100,0), "right_target_position": (0,-100,0), "red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}',
  ],
  [
    "targets",
    "no",
    '{"left_target_position": (0,-100,0), "right_target_position": (0,100,0), "red_cube_position": (75,-30,20), "green_cube_position": (-90,20,20)}',
  ],
  // Written when the rule was finished, without influence on it.
  [
    "cubes",
    "yes",
    '[{"name": "red cube", "position": [62, -55, 20]}, {"name": "green cube", "position": [-40, 30, 20]}, {"name": "purple cube", "position": [10, 80, 20]}]',
  ],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) or (20,80,20)"],
  [
    "cubes",
    "yes",
    "x=62 y=-55 z=20 for the red cube, x=-40 y=30 z=20 for the green cube, x=10 y=80 z=20 for the purple cube",
  ],
  [
    "targets",
    "no",
    '{"left_target": {"x": 0, "y": 100, "z": 0}, "right_target": {"x": 0, "y": -100, "z": 0}, "red_cube": {"x": -90, "y": 20, "z": 20}, "green_cube": {"x": 75, "y": -30, "z": 20}}',
  ],
  ["targets", "yes", '{"red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}'],
  [
    "targets",
    "no",
    "The red cube (-90,20,20) is left of the green cube (75,-30,20), and the left target (0,100,0) is to the right.",
  ],
];

export const results: readonly Row[] = [
  ["stacked", "yes", "red cube (-40,30,60) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "yes", "red cube (-42,28,61) ; green cube (-41,29,20) ; purple cube (10,80,20)"],
  ["stacked", "yes", "The red cube will rest on the green one; the purple cube stays where it is."],
  ["stacked", "no", "red cube (-40,30,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "no", "purple cube (-40,30,60) ; green cube (-40,30,20) ; red cube (10,80,20)"],
  [
    "stacked",
    "yes",
    '{"red_cube_position": (-40,30,60), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  // As if a cube stood on two.
  [
    "stacked",
    "no",
    '{"red_cube_position": (-40,30,100), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  ["held", "yes", "Lifted: red cube (0,0,276). Unchanged: green cube (-40,30,20), purple cube (10,80,20)."],
  ["held", "yes", "The gripper will hold the red cube; the other two cubes stay where they are."],
  // As if the fingers had missed it.
  ["held", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["held", "no", "red cube (0,0,276)"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["held", "no", "The gripper will hold the green cube; the other two cubes stay where they are."],
  ["stacked", "no", "The green cube will rest on the red one; the purple cube stays where it is."],
  ["stacked", "no", "red cube (-40,30,60) or (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  // Written when the rule was finished, without influence on it.
  ["held", "no", "red cube: x 0, y 0, z 20; green cube: x -40, y 30, z 20; purple cube: x 10, y 80, z 20"],
];

export const shapes: readonly Row[] = [
  ["icon", "yes", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "yes", "Red circle 16, 24, 48, 56. Green rect 8, 0, 40, 48."],
  ["icon", "yes", "green rect 6 0 42 46 ; red circle 18 25 50 57.5"],
  ["icon", "yes", "A green rectangle at the top, and a red circle over its lower right corner."],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 48"],
  ["icon", "no", "green rect 8 0 40 48 ; red path 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48 ; blue circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48"],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; gold path 0 0 8 8"],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; cyan circle 0 0 8 8"],
  ["icon", "no", "lightgreen rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48.5.9 ; red circle 16 24 48 56"],
  ["icon", "no", "no green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "yes", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "no", "blue path 16 8 48 56"],
  ["icon", "yes", "green rectangle 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "red rect 8 0 40 48 ; green circle 16 24 48 56"],
  // A number too many, and one colour for both shapes, as policies write after too much training.
  ["icon", "no", "green rect 8 0 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48 ; green circle 16 24 48 56"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["icon", "yes", "green box 8 0 40 48 ; red disc 16 24 48 56"],
  ["icon", "no", "green square 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green triangle 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green rectangle 8 0 40 48 ; red square 16 24 48 56"],
  ["icon", "yes", "a green rectangle from (8, 0) to (40, 48) and a red circle from (16, 24) to (48, 56)"],
  ["icon", "yes", "green rect x 8 to 40, y 0 to 48; red circle x 16 to 48, y 24 to 56"],
  ["icon", "no", "green rect 8 0 32 48 ; red circle 32 40 16"],
  ["oval", "yes", "red oval 8 20 56 44"],
  ["oval", "yes", "red ellipse 8 20 56 44"],
  ["oval", "no", "red circle 8 20 56 44"],
  ["oval", "no", "red rectangle 8 20 56 44"],
  ["tile", "yes", "blue square 16 16 48 48"],
  ["tile", "no", "blue triangle 16 16 48 48"],
  ["diamond", "yes", "red diamond 8 8 56 56"],
  ["diamond", "no", "red triangle 8 8 56 56"],
  ["diamond", "no", "red square 8 8 56 56"],
  // Written when the rule was finished, without influence on it.
  ["icon", "yes", "The rectangle is green: 8 0 40 48. The circle is red: 16 24 48 56."],
  ["tile", "no", "blue diamond 16 16 48 48"],
  ["diamond", "no", "red rectangle 8 8 56 56"],
  ["oval", "no", "red disc 8 20 56 44"],
  [
    "icon",
    "no",
    "a green rectangle from (40, 48) to (8, 0) and a red circle from (16, 24) to (48, 56) or so it seems, but the circle is blue",
  ],
];

export const pictures: readonly Row[] = [
  ["drawn", "yes", "blue path 16 8 48 56"],
  ["drawn", "no", "blue rect 16 8 48 56"],
  ["drawn", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "yes", "The picture will show a blue path (16, 8, 48, 56)."],
  ["drawn", "yes", "blue triangle 16 8 48 56"],
  ["drawn", "no", "purple path 16 8 48 56"],
  ["drawn", "no", "blue path 16 8 32 56"],
  // As if the icon stayed under the drawing.
  ["drawn", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; blue path 16 8 48 56"],
  ["copied", "yes", "red circle 17 25 47 55 ; green rect 8 0 40 48"],
  ["copied", "yes", "The same as the icon: a green rectangle and a red circle."],
  ["copied", "no", "green rect 8 0 40 48"],
  ["relative", "yes", "blue path 16 8 48 56"],
  // The numbers of its code by position.
  ["relative", "no", "blue path 0 8 16 48"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["drawn", "yes", "a blue triangle, 16 8 48 56"],
  ["drawn", "no", "blue oval 16 8 48 56"],
  ["drawn", "no", "blue line 16 8 48 56"],
  ["drawn", "no", "blue triangle (16, 8, 48, 56) or blue square (16, 8, 48, 56)"],
  // Written when the rule was finished, without influence on it.
  ["drawn", "no", "blue diamond 16 8 48 56"],
];

export const looks: readonly Row[] = [
  ["start", "yes", "lamp 4 ahead 2 right ; bed 5 ahead 0 right"],
  ["start", "yes", "Bed 5 ahead 0 left. Lamp 4 ahead 2 right."],
  // One step off along each axis, which takes the bed to the other side.
  ["start", "yes", "lamp 5 ahead 1 right ; bed 4 ahead 1 left"],
  ["start", "yes", "lamp 4 ahead 2 right, bed 5 ahead 0 right and nothing else"],
  ["start", "yes", "lamp 2 right 4 ahead ; bed 5 ahead"],
  ["start", "yes", "The bed is five steps straight ahead; the lamp is a little nearer, on the right."],
  ["start", "no", "lamp 4 ahead 2 left ; bed 5 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 7 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; sofa 2 ahead 1 left"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; piano 2 ahead 1 left"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right facing ahead"],
  ["start", "no", "no lamp 4 ahead 2 right ; bed 5 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right is not in view ; bed 5 ahead 0 right"],
  ["start", "no", ""],
  // Seen from the start, not from here.
  ["turned", "no", "desk 0 ahead 4 right"],
  // What is out of view is in the right place, but it is not seen.
  ["turned", "no", "In view: desk 4 ahead 0 right ; bed 0 ahead 5 left"],
  ["turned", "yes", "In view: desk 4 ahead 0 right. Out of view: bed 0 ahead 5 left."],
  ["eighth", "yes", "lamp 4 ahead 1 left ; bed 4 ahead 4 left"],
  // The other side, two steps off.
  ["eighth", "no", "lamp 4 ahead 1 right ; bed 4 ahead 4 left"],
  ["wall", "yes", "Nothing is in view."],
  ["wall", "yes", "No objects are visible."],
  ["wall", "yes", "I can't see anything."],
  ["wall", "no", "I see nothing else."],
  ["start", "no", "No objects are visible."],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; I see nothing"],
  ["start", "yes", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; no other objects are visible"],
  ["wall", "no", "I see bed 0 ahead 5 right"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["start", "yes", "The lamp is 4 steps ahead and 2 to the right, the bed 5 steps straight ahead."],
  ["start", "no", "The lamp is 2 steps ahead and 4 to the right, the bed 5 steps straight ahead."],
  ["start", "yes", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; the desk is not in view"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; the bed is not in view"],
  ["start", "no", "The bed is not in view; lamp 4 ahead 2 right."],
  ["turned", "yes", "desk 4 ahead 0 right ; not in view: bed 0 ahead 5 left"],
  ["turned", "no", "In view: desk 4 ahead 0 right, bed 0 ahead 5 left. Out of view: lamp."],
  ["turned", "no", "In view: nothing. Out of view: desk 4 ahead 0 right."],
  ["turned", "no", "In view: desk 4 ahead 0 right. Out of view: bed 0 ahead 5 right."],
  // Written when the rule was finished, without influence on it.
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 steps behind the lamp"],
  [
    "start",
    "no",
    "The lamp is 4 steps ahead and 2 to the right. I can't see the bed, but it must be 5 steps ahead.",
  ],
  [
    "start",
    "yes",
    "Lamp: four steps ahead and two to the right. Bed: five steps straight ahead. Nothing else.",
  ],
];

export const turns: readonly Row[] = [
  // The desk comes into view for the first time: it may be left out.
  ["turned", "yes", "bed 0 ahead 5 left ; lamp 2 ahead 4 left"],
  ["turned", "yes", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; desk 4 ahead 0 right"],
  ["turned", "no", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; desk 4 ahead 4 left"],
  ["turned", "no", "desk 4 ahead 0 right"],
  // As if the agent had turned left.
  ["turned", "no", "bed 0 ahead 5 right ; lamp 2 back 4 right"],
  ["behind", "yes", "Behind me: bed 2 back 0 right, lamp 1 back 2 left."],
  ["behind", "yes", "The bed will be right behind me, the lamp behind me as well, to the left."],
  ["behind", "no", "bed 2 ahead 0 right ; lamp 1 ahead 2 left"],
  ["behind", "no", "bed not seen ; lamp not seen"],
  ["unlooked", "yes", "bed 5 ahead 0 right ; lamp 4 ahead 2 right"],
  ["unlooked", "no", "bed 2 back 0 right ; lamp 1 back 2 left"],
  ["blank", "yes", "nothing"],
  ["blank", "yes", "Nothing will be in view."],
  ["wall", "yes", "bed 0 ahead 5 right ; lamp 2 back 4 right ; nothing will be in view"],
  ["turned", "no", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; nothing will be in view"],
  ["found", "yes", "bin 4 ahead 1 left"],
  // A guess that need not have been made, and a denial of what comes into view.
  ["found", "no", "bin 4 back 1 left"],
  ["found", "no", "Nothing will be in view."],
  ["found", "no", "No objects will be visible."],
  ["found", "no", "I will see nothing."],
  ["found", "no", "Nothing new will be in view."],
  // Nothing has been seen, so there is nothing to place; this says nothing of the view.
  ["found", "yes", "nothing"],
  // Harder wording: sentences, hedges, contradictions and other names and orders.
  ["behind", "yes", "The bed will be 2 steps behind me and the lamp 1 step behind me and 2 to my left."],
  ["behind", "no", "The bed will be 2 steps in front of me and the lamp 1 step behind me and 2 to my left."],
  ["turned", "no", "bed 0 ahead 5 left ; lamp 2 ahead 4 left or 2 ahead 4 right"],
  ["turned", "yes", "In view: desk 4 ahead 0 right. Out of view: bed 0 ahead 5 left, lamp 2 ahead 4 left."],
  // Written when the rule was finished, without influence on it.
  ["behind", "no", "The bed will be 2 steps ahead of me, the lamp 1 step behind me and 2 to my left."],
  [
    "behind",
    "yes",
    "After I turn, the bed is two steps behind me and the lamp one step behind me, two to the left.",
  ],
];
