// The case studies: what each shows, and a sentence that says what to look at. The episodes themselves are recorded, never
// written: `npm run record -- --all` (docs/replays.md).
import type { CaseStudy } from "./replay.ts";

/** The two policies of most pairs. */
const EARLY = "Early policy";
const TRAINED = "Trained policy";

/** In the order in which the page shows them; the first one plays at once. */
export const caseStudies: readonly CaseStudy[] = [
  {
    id: "wrong-belief",
    env: "frozenlake",
    title: "A wrong belief costs the game",
    lookAt:
      "In turn 2 the early policy says that the tile above is free, walks up and falls into a hole; the trained policy keeps left and reaches the gift.",
    replays: [
      { id: "frozenlake-10079-early", label: EARLY },
      { id: "frozenlake-10079-trained", label: TRAINED },
    ],
    preset: "frozenlake-nano",
  },
  {
    id: "known-hole",
    env: "frozenlake",
    title: "It sees the hole and walks into it",
    lookAt:
      "For three turns both policies write the same words. In turn 4 both say that there is a hole on the right: the early policy moves right and falls in, the trained one moves down, towards the gift.",
    replays: [
      { id: "frozenlake-10042-early", label: EARLY },
      { id: "frozenlake-10042-trained", label: TRAINED },
    ],
    preset: "frozenlake-nano",
  },
];
