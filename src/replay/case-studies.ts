// The case studies: what each shows, and a sentence that says what to look at. The episodes themselves are recorded, never
// written: `npm run record -- --all` (docs/replays.md).
import { EARLY, firstCase, TRAINED } from "./first-case.ts";
import type { CaseStudy } from "./replay.ts";

const pair = (level: string): CaseStudy["replays"] => [
  { id: `${level}-early`, label: EARLY },
  { id: `${level}-trained`, label: TRAINED },
];

const AFTER_SFT = "After SFT";

const lake: readonly CaseStudy[] = [
  {
    id: "wrong-belief",
    env: "frozenlake",
    title: "One policy sees the hole, the other does not",
    lookAt:
      "In turn 2 the tile above is a hole. After a short SFT stage a policy misses most holes: it says that the tile is free, walks up and falls in. After a longer one, and PPO that pays for right neighbours, the policy says that it is a hole, goes on to the left and reaches the gift.",
    replays: [
      { id: "frozenlake-10079-early", label: "Short SFT" },
      { id: "frozenlake-10079-trained", label: TRAINED },
    ],
    preset: "frozenlake-nano",
  },
  {
    id: "known-hole",
    env: "frozenlake",
    title: "It sees the hole and walks into it",
    lookAt:
      "In turn 1 both policies write the same words. In turn 2 both say that there is a hole above: the early policy moves up and falls in, the trained policy moves left and walks around it to the gift.",
    replays: pair("frozenlake-10048"),
    preset: "frozenlake-nano",
  },
  firstCase,
  {
    id: "base-full",
    env: "frozenlake",
    title: "Paid at the end, or turn by turn",
    lookAt:
      "Two methods of the VAGEN paper: VAGEN-Full is paid in every turn, for true claims too; VAGEN-Base is paid once, at the end. All that both policies say is right. In turn 2 both say that there is a hole on the right, in the way to the gift. VAGEN-Base bumps into the upper edge three times, and no turns are left for the detour. VAGEN-Full walks around the hole.",
    replays: [
      { id: "frozenlake-10242-base", label: "VAGEN-Base" },
      { id: "frozenlake-10242-full", label: "VAGEN-Full" },
    ],
    preset: "frozenlake-nano",
  },
  {
    id: "no-think",
    env: "frozenlake",
    title: "Without thinking, and with a world model",
    lookAt:
      "There are holes on three sides. Without reasoning (NoThink) the policy answers “Left, Down” at once and falls into one. With WorldModeling, which asks for an observation, reasoning and a prediction, it first writes where the gift is and that three neighbours are holes, goes down and then left, and is there in two turns.",
    replays: [
      { id: "frozenlake-10203-no-think", label: "NoThink" },
      { id: "frozenlake-10203-world-modeling", label: "WorldModeling" },
    ],
    preset: "frozenlake-nano",
  },
  {
    id: "reward-hacking",
    env: "frozenlake",
    title: "The judge is pleased, the task is not done",
    lookAt:
      "The gift is right below, and the first policy says so in every turn. It bumps into the left edge five times instead: here five turns of true claims pay 3.75 and the gift pays 1. Where all five turns share what claims pay, the second policy takes the gift in turn 1.",
    replays: [
      { id: "frozenlake-10071-hacked", label: "Claims pay 0.75 a turn" },
      { id: "frozenlake-10071-shared", label: "Claims pay 0.15 a turn" },
    ],
    preset: "frozenlake-nano",
  },
];

const room: readonly CaseStudy[] = [
  {
    id: "seeing-is-not-deciding",
    env: "sokoban",
    title: "Seeing is not deciding",
    lookAt:
      "All that the early policy says about the room is right in every turn, and it walks to and fro: half of the moves it learned from were random. The trained policy says the same about the first picture and pushes.",
    replays: pair("sokoban-10234"),
    preset: "sokoban-small",
  },
  {
    id: "one-push-too-far",
    env: "sokoban",
    title: "One push too far",
    lookAt:
      "In turn 2 the box is right above the target. The early policy predicts that its push takes the box to the wall, and pushes: nothing brings it back from there. The trained policy walks around the box and pushes it down.",
    replays: pair("sokoban-10053"),
    preset: "sokoban-small",
  },
  {
    id: "corrected-belief",
    env: "sokoban",
    title: "The next picture corrects a belief",
    lookAt:
      "In turn 2 the policy believes that the box is on the target, which would end the game. In turn 3 it sees the target below the box, and pushes the box down in turn 4.",
    replays: [{ id: "sokoban-10160-trained", label: TRAINED }],
    preset: "sokoban-small",
  },
  {
    id: "collapse",
    env: "sokoban",
    title: "Words fall apart without masks",
    lookAt:
      "Before PPO the policy says rightly what surrounds it and pushes the box onto the target. After 60 updates of PPO that train on prompts and pictures too, a quarter of its replies are malformed. Here all five are: it repeats phrases and mixes up words, so nothing happens. A KL loss, which holds a policy near the one before PPO, was off.",
    replays: [
      { id: "sokoban-10077-early", label: "Before PPO" },
      { id: "sokoban-10077-unmasked", label: "Without masks" },
    ],
    preset: "sokoban-nano",
  },
  {
    id: "trained-policy-fails",
    env: "sokoban",
    title: "The one level of 256 where it fails",
    lookAt:
      "In turn 3 the trained policy sees the target one row too high, and in turn 4 it pushes the box there. In turn 5 three moves would still solve the level, but it goes to the wrong side of the box. The early policy succeeds here.",
    replays: pair("sokoban-10098"),
    preset: "sokoban-small",
  },
];

const cards: readonly CaseStudy[] = [
  {
    id: "when-to-stand",
    env: "blackjack",
    title: "It learns when to stand",
    lookAt:
      "Both policies count their cards rightly. With 19 the early policy still takes a card, then another with 20, and is above 21: half of what it learned from was random. The trained policy stands on 19 and wins.",
    replays: pair("blackjack-10071"),
    preset: "blackjack-nano",
  },
  {
    id: "weak-card",
    env: "blackjack",
    title: "The dealer has to take cards, too",
    lookAt:
      "The dealer shows a 5 and has to go on to 17 or more, which often leads above 21. The trained policy stands on 15 and wins. The teacher of SFT takes cards up to 19, and so does the early policy.",
    replays: pair("blackjack-10077"),
    preset: "blackjack-nano",
  },
  {
    id: "soft-hand",
    env: "blackjack",
    title: "An ace counts 11, then 1",
    lookAt:
      "In turn 2 an ace makes 18, which is soft: one more card cannot lose, because the ace then counts 1. Both policies take it and have 18 again, now hard. The early policy takes one card too many; the trained policy stands.",
    replays: pair("blackjack-10148"),
    preset: "blackjack-nano",
  },
  {
    id: "luck",
    env: "blackjack",
    title: "Right, and lost",
    lookAt:
      "Standing on 18 against a 4 is what the best strategy does, and here the dealer gets to 19. The early policy takes a card, which is wrong, and gets 21. One hand says nothing about a policy; the average over many does.",
    replays: pair("blackjack-10051"),
    preset: "blackjack-nano",
  },
];

const pictures: readonly CaseStudy[] = [
  {
    id: "measure-first",
    env: "visual-math",
    title: "Measuring instead of guessing",
    lookAt:
      "The figure is not to scale. The early policy guesses three times; the trained policy calls the measuring tool and answers with what it says.",
    replays: pair("visual-math-10004"),
    preset: "visual-math-nano",
  },
  {
    id: "second-thought",
    env: "visual-math",
    title: "A wrong guess, then the tool",
    lookAt:
      "Both policies guess 7 in turn 1 and learn that this is wrong. The early policy guesses on; the trained policy measures A B in turn 2 and answers 12, which is right.",
    replays: pair("visual-math-10252"),
    preset: "visual-math-nano",
  },
  {
    id: "row-by-row",
    env: "visual-math",
    title: "Counting row by row",
    lookAt:
      "The question is how many yellow circles there are. The early policy guesses first. In turn 2 it sees every circle, but does not add the one of row 3 and answers 4; in turn 3 it loses count. The trained policy counts two in row 0 and one in each other row, and answers 5.",
    replays: pair("visual-math-10021"),
    preset: "visual-math-nano",
  },
  {
    id: "what-training-cost",
    env: "visual-math",
    title: "What training cost",
    lookAt:
      "The early policy counts four yellow triangles, which is right. The trained policy misses one in row 2 and answers 3. After a wrong answer its counting falls apart: its second reply never ends, and its third begins with “row 0 0 = 2”.",
    replays: pair("visual-math-10074"),
    preset: "visual-math-nano",
  },
  {
    id: "later-answers-pay-less",
    env: "visual-math",
    title: "Later answers pay less",
    lookAt:
      "AReaL, another training system, lets a policy try a question again. The policy counts row by row: “row 1 2 = 4” says that row 1 adds 2 and makes it 4 so far. It miscounts twice and answers 7, one too many, then 5, one too few. In turn 3 it writes “guess”, the word that it has learned for an answer without a count, and its guess 6 is right. That answer pays 0.90; each further try pays 5 % less, and in turn 1 it would have paid 1.",
    replays: [{ id: "visual-math-10047-areal", label: "Trained with AReaL" }],
    preset: "visual-math-areal-nano",
  },
];

const home: readonly CaseStudy[] = [
  {
    id: "out-of-view",
    env: "navigation",
    title: "The bookshelf is out of view",
    lookAt:
      "Among other words, the instruction says “could you move to the bookshelf”, which is to the left, out of view. Both policies turn right. In turn 2 the early policy says that the bookshelf is ahead, although it is behind, and walks; in turn 5 the bookshelf is in view, but a table stops the policy five times, and its time is up. The trained policy also says in turn 2 that the bookshelf is ahead, but turns on. It sees the bookshelf in turn 3, takes five steps to the right, which bring it ahead, and is there in turn 4.",
    replays: pair("navigation-95061"),
    preset: "navigation-small",
  },
  {
    id: "game-of-cards",
    env: "navigation",
    title: "I need to play a game of cards",
    lookAt:
      "The instruction means a table without naming it. In an observation a policy lists what it sees, then says where its target is. The early policy lists the table nine steps ahead and three to the left, which is exact, says that it does not see its target, turns away, and never has the table in view again. The trained policy is off by one step each way, finds its target in its list, and is there in turn 2.",
    replays: pair("navigation-95041"),
    preset: "navigation-small",
  },
  {
    id: "blocked",
    env: "navigation",
    title: "A washer is in the way",
    lookAt:
      "“Take me where I can see how I look” means the mirror, six steps ahead and three to the right. The early policy says eleven ahead and four to the left, walks five steps ahead, and turns left with the mirror on its right. In turn 1 the washer blocks two steps of the trained policy. In turn 2 it takes three steps to the left, away from the mirror, and two past the washer. In turn 3 it goes back to the right, and is there.",
    replays: pair("navigation-95011"),
    preset: "navigation-small",
  },
  {
    id: "imagined-clock",
    env: "navigation",
    title: "Walking after a clock that is not there",
    lookAt:
      "The “blue ring high on the wall” is the clock, and from where the policies begin it is in none of the four views. The trained policy says so twice and turns right. In turn 3 it says that the clock is twenty steps ahead, which is wrong, and walks after it. In turn 4 it takes the painting, which is in view, for its target, and calls it a clock. The clock is never in view. The early policy takes two steps, the wrong way, and does not find the clock either.",
    replays: pair("navigation-95017"),
    preset: "navigation-small",
  },
];

/** One policy in three environments. */
const several: readonly CaseStudy[] = [
  {
    id: "one-policy-lake",
    env: "frozenlake",
    title: "One policy, three tasks: the lake",
    lookAt:
      "This policy also pushes boxes and walks through homes. Here it states every position and all four neighbours rightly in three turns. It names a hole in each of them: below it, to its left, and below it again.",
    replays: [{ id: "three-tasks-lake-10139-trained", label: TRAINED }],
    preset: "three-tasks-small",
  },
  {
    id: "one-policy-room",
    env: "sokoban",
    title: "One policy, three tasks: around a stuck box",
    lookAt:
      "The same policy as at the lake. In turn 2 it says that the box below is stuck: a wall is behind it. It walks round the box on the left and pushes it to the right from there, with the last of four moves.",
    replays: [{ id: "three-tasks-room-10001-trained", label: TRAINED }],
    preset: "three-tasks-small",
  },
  {
    id: "one-policy-home",
    env: "navigation",
    title: "One policy, three tasks: past the painting and back",
    lookAt:
      "“I need to look at a drawing of hills” means the painting. In turn 2 it is three steps ahead and two to the left, and the policy says so. Then it takes five steps to the left, and predicts that the painting will be on its right, which is true. In turn 3 it goes back to the right, and is there.",
    replays: [{ id: "three-tasks-home-95037-trained", label: TRAINED }],
    preset: "three-tasks-small",
  },
];

const icons: readonly CaseStudy[] = [
  {
    id: "same-words",
    env: "svg",
    title: "The same words, another hand",
    lookAt:
      "Both policies say in turn 1, and rightly, where the orange circle and the purple diamond end. The early policy was taught by a teacher who rounds, and draws three corners of the diamond eight units too low, twice. The trained policy has found out that exact drawings pay more.",
    replays: pair("svg-10154"),
    preset: "svg-small",
  },
  {
    id: "own-drawing",
    env: "svg",
    title: "The second look is at its own drawing",
    lookAt:
      "In turn 1 both policies see both shapes right. The early policy draws the circle too large. In turn 2 the picture shows that drawing, and now it says that the circle is wider, too: it describes what it drew in place of the icon, and the second drawing is worse than the first. The trained policy needs no second look.",
    replays: pair("svg-10035"),
    preset: "svg-small",
  },
  {
    id: "good-enough",
    env: "svg",
    title: "Good enough for the measure",
    lookAt:
      "The icon has a small orange triangle on a gold rectangle. The trained policy says that there is a purple rectangle, and then draws one in gold, where nobody sees it. The drawing is still 0.95 similar: from 0.9 on it is a success. The picture “Difference” shows what the measure forgives.",
    replays: pair("svg-10036"),
    preset: "svg-small",
  },
  {
    id: "broken-off",
    env: "svg",
    title: "What training cost: the second turn",
    lookAt:
      "The early policy says and draws both shapes exactly. The trained policy takes the left end of the green circle to be 16 units farther right. It rarely needs a second turn any more, and in this one its words run on into code and the reply has no answer.",
    replays: pair("svg-10057"),
    preset: "svg-small",
  },
];

const table: readonly CaseStudy[] = [
  {
    id: "which-cube-where",
    env: "primitive-skill",
    title: "Seeing which cube, not where to put it",
    lookAt:
      "In turn 1 both policies name both cubes rightly. The early policy imitated a teacher that put any object on any other: it puts the red cube on the green one, and after four turns the green cube is still where it began. The trained policy puts each cube on its own target, and all that it predicts is right.",
    replays: pair("primitive-skill-place-10003"),
    preset: "primitive-skill-small",
  },
  {
    id: "four-skills",
    env: "primitive-skill",
    title: "Three cubes, four skills",
    lookAt:
      "The policy is given three places without names and has to see which cube is where. It names all of them rightly, and four skills build the tower: pick and place, twice. In turn 2 it says how high the first cube has come to rest, because the last one goes 41 millimetres above that.",
    replays: [{ id: "primitive-skill-stack-10003", label: AFTER_SFT }],
    preset: "primitive-skill-small",
  },
  {
    id: "mixed-places",
    env: "primitive-skill",
    title: "The fingers close where nothing is",
    lookAt:
      "In turn 1 the policy mixes up all three cubes. It reaches for the red one with the x of the purple one (−37 mm) and the y of the green one (60 mm), and the fingers close on nothing. In turn 2 it names every place rightly, and the tower stands after turn 3.",
    replays: [{ id: "primitive-skill-stack-10011", label: AFTER_SFT }],
    preset: "primitive-skill-small",
  },
  {
    id: "apple-stored",
    env: "primitive-skill",
    title: "An apple, and a push",
    lookAt:
      "Turn 1 puts the apple into the open drawer, turn 2 pushes the drawer shut. The prediction of turn 2 says where the apple will be: it slides, and lags a little behind the drawer.",
    replays: [{ id: "primitive-skill-drawer-10001", label: AFTER_SFT }],
    preset: "primitive-skill-small",
  },
  {
    id: "three-numbers",
    env: "primitive-skill",
    title: "A place has three numbers",
    lookAt:
      "The smallest policies read where the cubes are as text, and move them to the line x = 0. The early policy writes places of two and of four numbers, and moves only one cube to the line. The trained policy misreads the green cube by 70 millimetres in turn 1, while it moves the red one. In turn 2 it reads both correctly, reaches 40 millimetres beside the green cube, takes hold of it all the same, and both are on the line.",
    replays: pair("primitive-skill-align-10003"),
    preset: "primitive-skill-nano",
  },
];

const places: readonly CaseStudy[] = [
  {
    id: "unseen-answer",
    env: "spatial-gym",
    title: "An answer about something unseen",
    lookAt:
      "Where is the mirror? In turn 1 the early policy writes that it has not seen the mirror, takes the toilet in its place and answers. The trained policy looks into all four headings, carries its map along, and answers from it in turn 4.",
    replays: pair("spatial-gym-10063"),
    preset: "spatial-gym-small",
  },
  {
    id: "one-step-of-twenty",
    env: "spatial-gym",
    title: "The right map, and one wrong step",
    lookAt:
      "Standing at the plant and facing the table, where is the clock? Both policies have the map after two looks and subtract one position from the other. In turn 2 the early policy finds the table at 7 o'clock and the clock at 11, and answers “behind”. The trained policy goes from 7 to 10 and answers “to the right”, which is correct.",
    replays: pair("spatial-gym-10065"),
    preset: "spatial-gym-small",
  },
  {
    id: "imagined-wardrobe",
    env: "spatial-gym",
    title: "A wardrobe that is not there",
    lookAt:
      "Where is everything, and which way does it face? In turn 1 the early policy sees a wardrobe that is not in view. It stays in its map, which scores 0.58 where 0.6 is needed. The trained policy names the wardrobe in turn 2, before it is in view, keeps it out of its map until it sees it in turn 3, and gives the right map.",
    replays: pair("spatial-gym-map-10146"),
    preset: "spatial-gym-map-small",
  },
  {
    id: "lost-step",
    env: "spatial-gym",
    title: "What training cost: the last step",
    lookAt:
      "Both policies see everything and keep it. In turn 3 the early policy goes from 2 o'clock to 12 and answers “to the left”, which is correct. The trained policy, better on average, goes from 2 to 1 and answers “behind”.",
    replays: pair("spatial-gym-10120"),
    preset: "spatial-gym-small",
  },
  {
    id: "next-room",
    env: "spatial-gym",
    title: "Found in the next room, given another object's place",
    lookAt:
      "Where is the fridge? The smallest policies read what is in view as words, and find no fridge around the start. In turn 4 both jump to the washer in the second room, and in turn 5 they see the fridge. Neither works out where it is. The early policy gives it the place that it noted for the clock, which is wrong, and answers that the fridge is behind. The trained policy gives all three objects one place, 3 ahead 9 left. That is one step from the fridge, so its answer is right.",
    replays: pair("spatial-gym-rooms-10084"),
    preset: "spatial-gym-rooms-text-nano",
  },
];

/** In the order in which the page shows them; the first one plays at once. */
export const caseStudies: readonly CaseStudy[] = [
  ...lake,
  ...room,
  ...home,
  ...icons,
  ...table,
  ...places,
  ...cards,
  ...pictures,
  ...several,
];
