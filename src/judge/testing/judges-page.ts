// docs/judges.md as Markdown: what is measured goes into the page, so that it cannot say anything else.
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

Where they disagree:

${missed.join("\n")}

The same cases under every scoring of the rule judge, as the mean score of the claims that are right and of those that
are wrong. \`cells\` wants the player's own cell and reads no directions; the F1 scores want every thing and both
axes, so a right claim that says less than everything earns less than 1.

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

Written by a test from what it measures (\`UPDATE_DOCS=1 npx vitest run --project unit src/judge/measure\`); do not edit by
hand.

A judge decides whether what an agent says about the world is true: its observation against the state before its
actions, its prediction against the state after them. \`judge.name\` picks one, and all are told of a whole turn of all
episodes at once.

- **\`rule\`** (default): reads the claim and compares. Free, deterministic, the same everywhere. It understands cells
  ("row 2 col 1", "(2, 1)"), directions ("the box is above and to the left of me", "you are below the target"),
  dictionaries (JSON or Python, also a list of relations) and drawn boards. What it does not understand earns nothing.
- **\`llm\`**: asks a model at an OpenAI-compatible, Anthropic or Gemini endpoint. With \`reward.judge_scoring:
  rubric\` the model sees the truth and says YES or NO; with \`exact_f1\` or \`soft_f1\` it only turns the words into
  relations, without seeing the truth, and the rule scores them. On the command line the key is in the
  environment variable that \`judge.api_key_env\` names, and you name the endpoint on your machine: \`JUDGE_API_KEY=sk-… npm run
  train -- --config mine.yaml --judge-url https://api.openai.com\`. No file can do that for you (\`docs/security.md\`). In the page
  you type the key under Judge, in the configuration; it is kept in the tab's memory for that endpoint alone, and asked for again
  after a reload. It is nowhere else. Redirects are not followed. A request that fails is tried again; a claim whose requests all fail is
  *not judged*: it earns nothing, is left out of the accuracies and is counted in \`judge/not_judged\`. Such runs do not
  repeat bit for bit. The same claim about the same state is asked about once. Demonstrations of the warm-up are judged by rule, with the same scoring, and cost nothing. Every verdict is kept as a line of \`verdicts.jsonl\` beside the run; the page offers it as a download.
- **\`recorded\`**: repeats such a file (\`judge.recording\`; in the page a chosen file, which is kept with the run).
- **\`off\`**: judges nothing.

How a claim is scored:

- \`cells\` (default, what the tiny policies' language is made for): share of the named things whose cells are exact.
- \`exact_f1\`: VAGEN's score for Sokoban. Directions of boxes and targets as seen from the player, both axes or nothing;
  F1 of each kind, half each.
- \`soft_f1\`: VAGEN's score for FrozenLake. Each axis counts one half, best pairing; 0.7 for the goal, 0.3 for the holes.
- \`rubric\`: YES or NO. Everything asked for must be placed; cells may be off by \`reward.rubric_tolerance\`, directions
  must have the main one right. A prediction may besides say nothing wrong, but for a step to the side of what lies
  straight ahead.

The F1 scores count the kinds that a claim has to give and those that it names besides: holes in FrozenLake are asked for
only where the board is drawn (\`rollout.state_format: symbolic\`). A prediction that gives the player's cell says with it
where everything lies that cannot move, whatever it says of those things itself; one in directions alone is scored by the
things it names. Directions are coarse: a step that leaves the goal below right pays like the right one.

**Repetition.** With \`reward.repetition_penalty\` above 0 (VAGEN: 0.1, Sokoban only) the run remembers the
\`top_strings_m\` texts that were said most. A claim among the \`top_strings_k\` most frequent that scores below
\`repetition_threshold\` is paid the penalty, negated, in place of its score. Validations are compared, but not
remembered, demonstrations neither; the memory is in the checkpoint.

**Other weights.** What saved episodes would have earned under other weights needs neither games nor judge:
\`npm run judge -- --rescore run/ --set reward.grounding_reward_weight=1\` goes by the verdicts in the run's
\`trajectories.jsonl\` and prints the mean reward of an episode by term, as paid and as it would be. That file is a
sample: an episode of each validation and a few of training every \`trainer.save_freq\` updates. A run that is trained with
\`--episodes all\` keeps every episode that its policy plays. Demonstrations of the warm-up are left out.
With \`--verdicts verdicts.jsonl\` the verdicts of a recording take their place, as the recorded judge would have given them: a
claim that the recording lacks earns nothing, and how many those are is said. A run with a repetition penalty is refused there:
what repeats itself follows from every episode of training, of which a folder may keep only a few. A line of a recording that was
cut off (a full disk, a crash) is left out, and said.

## Measured

${judgeCases.length} claims with the expected answer, made by hand for this purpose (\`src/judge/cases.ts\`): two games, observations and
predictions, natural, structured and symbolic wording. \`npm run judge -- --measure\` runs a judge over them: the
rule; with \`--judge llm --set judge.provider=openai --set judge.model=…\` a model, which costs ${judgeCases.length} requests; with \`--judge recorded --set
judge.recording=…\` the verdicts that \`--out\` had kept. They were written together with the rule, so its figures say what
it can read, not how it does on other people's words. The rule judge with its rubric:
`;
