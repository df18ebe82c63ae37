// The case study that plays on the front page. Apart from the others, which a first visit loads later.
import type { CaseStudy } from "./replay.ts";

/** The two policies of most pairs: the one that SFT leaves, and the same one after PPO. */
export const EARLY = "Early policy";
export const TRAINED = "Trained policy";

/** Its first replay plays at once: every claim of that episode is right, which shows what the parts of a reply are for. */
export const firstCase: CaseStudy = {
  id: "careful-reading",
  env: "frozenlake",
  title: "Success by careful reading",
  lookAt:
    "The trained policy states every position and every neighbour correctly, names the hole above it in turn 3 and walks around it; all four of its predictions come true. The early policy reads just as well, turns back, and its plan of two steps in turn 4 ends in that hole.",
  replays: [
    { id: "frozenlake-10027-trained", label: TRAINED },
    { id: "frozenlake-10027-early", label: EARLY },
  ],
  preset: "frozenlake-nano",
};
