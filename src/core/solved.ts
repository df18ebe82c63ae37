// When a question that may be tried again is over (AReaL's VisionMultiTurnWorkflow): the workflow stops there, and a configuration
// has to make sure that right answers get there, and nothing else does.

/** A reward of at least this ends the episode: the answer is right, and said in the right form. */
const SOLVED = 1;
/** Terms that sum to 1 on paper may miss it by a rounding. */
const ROUNDING = 1e-6;

/** Whether one attempt's reward, not yet discounted, ends its episode. */
export const isSolved = (reward: number): boolean => reward >= SOLVED - ROUNDING;
