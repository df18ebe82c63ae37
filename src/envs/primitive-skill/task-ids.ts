// VAGEN's four tasks by name: what is known of them before the world is loaded.

export const TASK_IDS = ["AlignTwoCube", "PlaceTwoCube", "StackThreeCube", "PutAppleInDrawer"] as const;

export type TaskId = (typeof TASK_IDS)[number];

/** What is asked. */
export const INSTRUCTIONS: Readonly<Record<TaskId, string>> = {
  AlignTwoCube: "Move both cubes to x = 0, give or take 10 mm",
  PlaceTwoCube: "Put the red cube on the left target and the green cube on the right target",
  StackThreeCube: "Put the red cube on the green cube, then the purple cube on the red cube",
  PutAppleInDrawer: "Put the apple into the drawer, then close the drawer",
};

/** The objects and points whose positions the agent is given, in VAGEN's order. */
export const LISTED: Readonly<Record<TaskId, readonly string[]>> = {
  AlignTwoCube: ["red cube", "green cube"],
  PlaceTwoCube: ["left target", "right target", "red cube", "green cube"],
  StackThreeCube: ["red cube", "green cube", "purple cube"],
  PutAppleInDrawer: ["apple", "drawer"],
};

/** A skill of each kind as it is written. */
export const EXAMPLES = ["pick(0,0,20)", "place(0,0,20)", "push(-50,0,20,50,0,20)"] as const;

/** A skill with as many digits and signs as any that stays in the workspaces and counts whole millimetres. */
export const LONGEST = "push(-500,-600,650,-100,-200,650)";
