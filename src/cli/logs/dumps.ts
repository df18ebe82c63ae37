// Episodes as veRL dumps them: a file of lines for each update, and the pictures beside it.
import { REQUEST } from "../../agent/summary-words.ts";
import type { EvaluationFile } from "../../eval/episode-files.ts";
import type { SavedEpisode } from "../run-folder/saved-episodes.ts";

const FOLDERS = { train: "rollout_data", validation: "validation" } as const;

/**
 * `rollout_data/<step>.jsonl` and `validation/<step>.jsonl` with input, output, gts, score and step of each episode, and with
 * `images` also `image_<step>/images_<sample>/<k>.png`.
 */
export function dumpFiles(episodes: readonly SavedEpisode[], images: boolean): EvaluationFile[] {
  const files: EvaluationFile[] = [];
  for (const source of ["train", "validation"] as const)
    for (const step of new Set(episodes.map(({ update }) => update))) {
      const own = episodes.filter((episode) => episode.source === source && episode.update === step);
      if (own.length === 0) continue;
      const text = own.map((episode) => `${JSON.stringify(lineOf(episode))}\n`).join("");
      files.push({ path: `${FOLDERS[source]}/${step}.jsonl`, content: text });
      if (images)
        files.push(
          ...own.flatMap((episode, i) => pictures(`${FOLDERS[source]}/image_${step}/images_${i}`, episode)),
        );
    }
  return files;
}

/** The first prompt, and everything after it: replies, and what the agent was shown between them. */
function lineOf({ update, turns, id }: SavedEpisode) {
  const [first, ...later] = turns;
  const said = (user: string, assistant: string) => `\nuser\n${user}\nassistant\n${assistant}`;
  // A summary closes one conversation before the next begins with it.
  const rest = later.map(
    ({ observation, reply, summary }) =>
      (summary === undefined ? "" : said(REQUEST, summary)) + said(observation.text, reply),
  );
  const last = turns.at(-1);
  return {
    input: `user\n${first?.observation.text ?? ""}\nassistant\n`,
    output: `${first?.reply ?? ""}${rest.join("")}`,
    gts: last?.before.facts?.answer ?? null,
    score: turns.reduce((sum, { reward }) => sum + reward, 0),
    step: update,
    num_turns: turns.length,
    uid: id,
  };
}

const pictures = (folder: string, { turns }: SavedEpisode): EvaluationFile[] =>
  turns
    .flatMap(({ observation }) => observation.images)
    .map((content, k) => ({ path: `${folder}/${k}.png`, content }));
