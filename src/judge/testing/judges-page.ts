// docs/judges.md as Markdown, with the measured figures.
import { judgeCases } from "../cases.ts";
import { ruleJudgeWith } from "../index.ts";
import { measuredTable, measureJudge } from "../measure.ts";
import { scorings } from "../scorings.ts";

/** The whole page. */
export async function judgesPage(): Promise<string> {
  const measured = await measureJudge(ruleJudgeWith("rubric", 0), judgeCases);
  const scores = await Promise.all(scorings.all.map(({ id, title }) => scoreRow(id, title)));
  const missed = measured.disagreements.map(
    ({ expected, said, text }) => `- “${text}” Expected ${expected}, the rule says ${said}.`,
  );
  return `${HEAD}
${measuredTable(measured)}

Disagreements:

${missed.join("\n")}

The same cases under every scoring of the rule judge: the mean score of the right claims and of the wrong ones. \`cells\`
requires the cell of the player and reads no directions. The F1 scores require every thing and both axes, so a right claim that
leaves something out earns less than 1.

| Scoring | \`reward.judge_scoring\` | Right claims | Wrong claims |
|---|---|---|---|
${scores.join("\n")}
`;
}

async function scoreRow(id: string, title: string): Promise<string> {
  const { right, wrong } = (await measureJudge(ruleJudgeWith(id, 0), judgeCases)).meanScore;
  return `| ${title} | \`${id}\` | ${right.toFixed(3)} | ${wrong.toFixed(3)} |`;
}

const HEAD = `# Judges

A test writes this page from what it measures (\`npm run docs\`); do not edit it by hand.

A judge decides whether the claims of an agent are true. It compares the observation with the state before the turn's actions,
and the prediction with the state after them. \`judge.name\` selects the judge, which receives one turn of all episodes at a
time.

| \`judge.name\` | what it does |
|---|---|
| \`rule\` (default) | reads the claim and compares it with the truth |
| \`llm\` | asks a model at an endpoint |
| \`recorded\` | repeats the verdicts of an earlier run |
| \`off\` | judges nothing |

**\`rule\`** is free, deterministic and the same everywhere. It understands cells ("row 2 col 1", "(2, 1)"), directions ("the box
is above and to the left of me", "you are below the target"), dictionaries (JSON or Python, or a list of relations) and drawn
boards. A claim that it does not understand earns nothing.

**\`llm\`** asks a model at an OpenAI-compatible, Anthropic or Gemini endpoint.

- With \`reward.judge_scoring: rubric\` the model sees the truth and answers YES or NO. With \`vagen\`, \`exact_f1\` or \`soft_f1\` it
  does not see the truth: it turns the words into relations, and the rule scores these.
- *Key and endpoint, command line.* The environment variable that \`judge.api_key_env\` names holds the key, and you name the
  endpoint: \`JUDGE_API_KEY=sk-… npm run train -- --config mine.yaml --judge-url https://api.openai.com\`. No file can do this for
  you (\`docs/security.md\`).
- *Key and endpoint, page.* You type the key under Judge, in the configuration. It stays in the memory of the tab, for that
  endpoint only, and the page asks for it again after a reload. It is stored nowhere else.
- Redirects are not followed. Failed requests are retried. If all requests for a claim fail, the claim is *not judged*: it earns
  nothing, is left out of the accuracies, and counts in \`judge/not_judged\`. Such runs do not repeat bit for bit.
- A claim about the same state is sent only once. Demonstrations are judged by rule, with the same scoring, at no cost.
- With \`reward.use_state_reward\` off the model is still asked, but its verdicts are only metrics, unless a reward term of an extension reads them. The form and the run warn of that.
- Every verdict is a line of \`verdicts.jsonl\` beside the run; the page offers the file as a download.

**\`recorded\`** reads such a file: \`judge.recording\` on the command line, a chosen file in the page, which keeps it with the run.

## Scoring

\`reward.judge_scoring\` selects how a claim is scored:

- \`cells\` (default, the studio's own, made for the language of the tiny policies): the share of the named things whose cells
  are exact.
- \`vagen\`: what VAGEN's services pay. Sokoban: the directions of boxes and targets as seen from the player, both axes or
  nothing; the F1 of each kind counts one half. FrozenLake: each axis counts one half, with the best pairing; the F1 of the goal
  counts 0.7, that of the holes 0.3. Every kind of the true state counts, so a claim loses what it leaves out: holes that it
  does not mention, or the target in a prediction.
- \`clauses\`: the exact scorer of VAGEN's generation of 2026. Each thing needs one of above, below, same row and one of left, right,
  same column, or the claim scores 0; an axis counts one half, boxes and targets alike. With \`reward.score_base\` only what is above
  the score of guessing is paid.
- \`exact_f1\`, \`soft_f1\`: Sokoban's and FrozenLake's formula in any game, over what the claim has to give.
  In your own environments \`vagen\`, \`clauses\` and both of these weigh every kind that VAGEN's games do not have with 0.5; walls
  count only where the claim has to give them.
- \`rubric\`: YES or NO. Everything required must be placed. Cells may be off by \`reward.rubric_tolerance\`; of a direction, the
  main axis must be right. A prediction must also contain nothing wrong, except a step to the side of something straight ahead.

\`exact_f1\`, \`soft_f1\` and \`rubric\` count the kinds that a claim must give and any others that it names. FrozenLake requires holes only
where the board is drawn (\`rollout.state_format: symbolic\`). A prediction that gives the cell of the player thereby gives the
direction of everything that cannot move, whatever else it says about these things. A prediction in directions alone is scored
by the things that it names. Directions are coarse: a step that leaves the goal to the lower right scores like the right one.

\`vagen\` reads directions only where the claim states them, or gives the cells of both the player and the thing. Demonstrations in
words state neither the holes nor, in predictions, what cannot move, so they earn less than 1; with
\`rollout.state_format: relations\` or \`symbolic\` they state everything.

## Repetition

With \`reward.repetition_penalty\` above 0 (VAGEN: 0.1, Sokoban only) the run remembers its \`top_strings_m\` most frequent texts.
If a claim is among the \`top_strings_k\` most frequent and scores below \`repetition_threshold\`, the reward is the negated
penalty instead of the score. Validations are compared with the memory but not added to it; demonstrations are neither. The
memory is part of the checkpoint.

## Other weights

Saved episodes can be scored under other weights without games or judge:

\`\`\`
npm run judge -- --rescore run/ --set reward.grounding_reward_weight=1
\`\`\`

reads the verdicts in \`trajectories.jsonl\` of the run and prints the mean reward of an episode by term, as paid and under the
new weights. The file is a sample: an episode of each validation, and a few training episodes every \`trainer.save_freq\`
updates. A run with \`--episodes all\` keeps every episode that its policy plays. Demonstrations are left out.

With \`--verdicts verdicts.jsonl\` the verdicts of a recording replace those of the run, as the recorded judge would have given
them. A claim without a verdict earns nothing, and the report counts such claims. Runs with a repetition penalty are rejected
here, because repetition depends on all training episodes and a folder may keep only a few of them. Truncated lines of a
recording (full disk, crash) are skipped and reported.

## Measured

${judgeCases.length} claims with the expected answer, made by hand for this purpose (\`src/judge/cases.ts\`): two games, observations and
predictions, natural, structured and symbolic wording. \`npm run judge -- --measure\` runs a judge over them: the rule by default;
a model with \`--judge llm --set judge.provider=openai --set judge.model=…\`, which costs ${judgeCases.length} requests; or the verdicts kept
by \`--out\` with \`--judge recorded --set judge.recording=…\`. The claims were written together with the rule, so its figures show
what it can read, not how it does on other people's words. The command also measures the rule for worlds
([figures](environments.md#claims-about-worlds-measured)) and that for the neighbours of the player
([figures](environments.md#statements-about-neighbours-measured)). The rule judge with its rubric:
`;
