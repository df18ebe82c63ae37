// Faces of the section, rendered to text without a browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PAPER_NAMES } from "../../core/formats.ts";
import type { CaseStudy } from "../../replay/replay.ts";
import { biLevelGae } from "../../rl/advantage/bi-level-gae.ts";
import { maskedGae } from "../../rl/advantage/masked-gae.ts";
import { turnAdvantages, turnSpans } from "../../rl/advantage/turns.ts";
import { fakeReplay } from "../testing/fake-replay.ts";
import { methodEpisode, paramsOf } from "./episode-tokens.ts";
import { findings } from "./findings.ts";
import { FindingCard } from "./findings-panel.tsx";
import { FormatsPanel, recordedFormats } from "./formats-panel.tsx";
import { differenceOf } from "./identical.ts";
import MethodSection from "./method-section.tsx";
import { signed } from "./numbers.tsx";
import RecordedMethod, { byFormat } from "./recorded-method.tsx";
import { stagesOf } from "./turn-loop-panel.tsx";

const read = (element: ReactElement) =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const replay = fakeReplay({ seed: 5, skill: 0.4 });
const replays = { episode: replay, formats: { grounding_worldmodeling: replay } };
const html = renderToStaticMarkup(<MethodSection replays={replays} />);
const headings = (markup: string) => [...markup.matchAll(/<h3[^>]*>([^<]*)/g)].map(([, text]) => text);

describe("the section", () => {
  it("has its panels in order", () => {
    expect(headings(html)).toEqual([
      "The turn loop",
      "Reasoning formats",
      "Masks over tokens",
      "Token-level GAE, masked",
      "Bi-Level GAE",
      "What if",
      "What the runs showed",
    ]);
  });
  it("leaves out what was not recorded", () => {
    const values = new Float32Array(replay.trajectory.tokens.ids.length);
    const episode = {
      ...replay,
      trajectory: { ...replay.trajectory, tokens: { ...replay.trajectory.tokens, values } },
    };
    const shown = headings(renderToStaticMarkup(<MethodSection replays={{ episode, formats: {} }} />));
    expect(shown).toEqual(["The turn loop", "Masks over tokens", "What the runs showed"]);
  });
  it("shows no number that is none", () => {
    expect(html).not.toMatch(/NaN|undefined|Infinity|not finite/);
  });
  it("writes the name of a term as one text, without gaps between its symbols", () => {
    expect(html).toContain("<span>γ<sub>turn</sub>, λ<sub>turn</sub></span>");
  });
  it("draws the turn advantages of the estimator", () => {
    const { tokens, count } = methodEpisode(replay);
    const { turnGamma: gamma, turnLambda: lambda } = paramsOf(replay.config);
    const spans = turnSpans(tokens, 0, count);
    const advantages = turnAdvantages(tokens, spans, 0, { gamma, lambda: lambda!, anchor: "end" });
    // The result comes first: every turn is known.
    for (const advantage of advantages) expect(html).toContain(`>A ${signed(advantage)}<`);
    expect(html).not.toContain(">A ?<");
  });
  it("says where Bi-Level GAE differs most from masked GAE, with both numbers", () => {
    const { tokens } = methodEpisode(replay);
    const params = paramsOf(replay.config);
    const { at } = differenceOf(maskedGae, biLevelGae, tokens, params);
    for (const one of [maskedGae, biLevelGae])
      expect(html).toContain(signed(one.estimate(tokens, params).advantages[at!]!));
    expect(html).toMatch(/They differ most at .+ in turn \d+: masked GAE gives it/);
  });
  it("names every drawing, slider and switch", () => {
    for (const [svg] of html.matchAll(/<svg role="img"[^>]*>/g))
      expect(svg).toMatch(/aria-label="[^"]{20,}"/);
    for (const [slider] of html.matchAll(/<input[^>]*type="range"[^>]*>/g))
      expect(slider).toMatch(/aria-valuetext="[^"]+"/);
  });
});

describe("the turn loop", () => {
  it("has the stages that the reply has parts for", () => {
    const [turn] = replay.trajectory.turns;
    expect(stagesOf(turn!)).toEqual([
      ...["picture", "observation", "reasoning", "prediction", "answer", "after", "reward"],
    ]);
    const parsed = { ...turn!.parsed, observation: "", reasoning: "", prediction: "" };
    expect(stagesOf({ ...turn!, parsed })).toEqual(["picture", "answer", "after", "reward"]);
  });
});

describe("the reply formats", () => {
  it("say how their policies were trained and how well they play", () => {
    const shown = read(<MethodSection replays={replays} />);
    expect(shown).toMatch(
      /The policy that wrote it had\s+[\d ]+ updates? of SFT and\s+[\d ]+ updates? of PPO in\s+this format and succeeds in/,
    );
  });
  it("have the names of docs/concepts.md, each with its setting", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../docs/concepts.md"), "utf8");
    for (const [id, name] of Object.entries(PAPER_NAMES)) {
      const shown = read(<FormatsPanel number={1} replays={{ [id]: replay }} />);
      expect(docs).toContain(`| \`${id}\` | ${name} |`);
      expect(shown).toContain(` ${name} `);
      expect(shown).toContain(`prompt_format: ${id} `);
    }
  });
  it.each([
    ["no_think", /nothing that could be judged/],
    ["free_think", /no observation and no prediction is judged\. Only what it says of the four cells/],
    ["grounding", /observation is judged against the state before the actions/],
    ["worldmodeling", /prediction is judged against the state after them/],
    ["grounding_worldmodeling", /Each is judged against the state that it is about/],
  ] as const)("say what the policy writes and what is judged: %s", (id, judged) => {
    const shown = read(<MethodSection replays={{ ...replays, formats: { [id]: replay } }} />);
    expect(shown).toMatch(/The agent (first )?writes .*Parts: /);
    expect(shown).toMatch(judged);
  });
  it("have a tab where there is a recording, in the order in which they add parts", () => {
    expect(recordedFormats({ worldmodeling: replay, no_think: replay })).toEqual([
      "no_think",
      "worldmodeling",
    ]);
    const empty = { ...replay, trajectory: { ...replay.trajectory, turns: [] } };
    expect(recordedFormats({ no_think: empty })).toEqual([]);
  });
});

describe("the recordings", () => {
  it("are an episode, and a tab for the format of each of the others", () => {
    const withFormat = (prompt_format: "no_think" | "worldmodeling") => ({
      ...replay,
      config: { ...replay.config, rollout: { ...replay.config.rollout, prompt_format } },
    });
    const [none, wm] = [withFormat("no_think"), withFormat("worldmodeling")];
    const found = byFormat([replay, none, wm]);
    expect(found.episode).toBe(replay);
    expect(found.formats).toEqual({ no_think: none, worldmodeling: wm });
  });
  it("are waited for", () => {
    expect(read(<RecordedMethod />)).toContain("Loading the method");
  });
});

describe("a finding", () => {
  const study: CaseStudy = {
    ...{
      id: "reward-hacking",
      env: "frozenlake",
      title: "Walks elsewhere",
      lookAt: "",
      replays: [],
      preset: "",
    },
  };
  const hacking = findings.find(({ id }) => id === "hacking")!;

  it("opens its curves, their source and an episode", () => {
    const open = <FindingCard finding={hacking} example={study} startsOpen />;
    expect(renderToStaticMarkup(open)).toContain('href="#/replay/reward-hacking"');
    expect(read(open)).toMatch(
      /Share of levels solved .* Judge reward of an episode .* Watch an episode: Walks elsewhere .* npm run train/,
    );
  });
  it("shows only its sentence while it is closed", () => {
    const closed = renderToStaticMarkup(<FindingCard finding={hacking} example={study} />);
    expect(closed).toContain(hacking.text);
    expect(closed).not.toContain("<polyline");
  });
});
