// Faces of components, rendered to text without a browser.
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { parseReply } from "../../agent/reply.ts";
import { createVocabulary } from "../../agent/vocabulary.ts";
import { applyChanges, setPath } from "../../config/changes.ts";
import { inspectRunConfig } from "../../config/check.ts";
import { optionTitle } from "../../config/describe.ts";
import { fileChoice } from "../../config/init-checkpoint.ts";
import { presetOffer } from "../../config/preset-offer.ts";
import { presets } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { GpuProbe, StoredRun } from "../../worker/protocol.ts";
import { FieldRow } from "../configure/field-row.tsx";
import { OfferLine } from "../configure/other-preset.tsx";
import { SizeLine } from "../configure/size-estimate.tsx";
import { StartFrom } from "../configure/start-from.tsx";
import { turnTokens } from "../episode/token-model.ts";
import { ReplyText, RewardParts, TurnTimeline } from "../episode/turn-parts.tsx";
import { BeliefTable } from "../episode/verdict.tsx";
import { fieldsFor } from "../settings/fields.ts";
import { misfitObstacle, misfitRemedy } from "../settings/misfit.ts";
import Notices from "../shell/notices.tsx";
import { RunStrip } from "../shell/run-strip.tsx";
import { isOffered, LostRun, Offers, RunElsewhere, StoredRunsDialog } from "../shell/stored-runs.tsx";
import { applyEvent } from "../store/apply-event.ts";
import { dismissRuns, savedKey, useDismissed } from "../store/dismissed-runs.ts";
import { useDraft } from "../store/draft-store.ts";
import { runStore } from "../store/run-store.ts";
import { emptyView, type RunView, type ViewEvent } from "../store/run-view.ts";
import { obstacle, useSession } from "../store/session-store.ts";
import { fakePlan, fakeRun } from "../testing/fake-run.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { renderPresentState } from "../testing/present-state.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { tokenFacts } from "../trace/token-facts.ts";
import { EventLog } from "../train/event-log.tsx";
import { Summary } from "../train/summary.tsx";
import { LoadBar } from "./load-bar.tsx";

const render = (element: ReactElement) => renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>);
/** What a person reads. */
const read = (element: ReactElement) => textOf(render(element));
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/\s+/g, " ")
    .replaceAll(" ;", ";");
const config = inspectRunConfig({
  sft: { total_updates: 20, one_turn_updates: 5 },
  trainer: { total_updates: 40 },
}).config!;
const fakeProbe: GpuProbe = { available: true, reason: "", hint: "", device: null };
const show = (...events: ViewEvent[]) =>
  runStore.setState(
    [...fakeRun("r", config, 30), ...events].reduce<ReturnType<typeof emptyView>>(applyEvent, emptyView()),
    true,
  );

renderPresentState(runStore, useSession);

it("announces what is loaded, in nothing that is busy", () => {
  const loading = render(<LoadBar progress={{ what: "physics", bytes: 1, of: 2 ** 20 }} />);
  expect(loading).toMatch(
    /^<div data-testid="load-bar" class="[^"]*"><p role="status">Loading physics, 1\.0 MiB…</,
  );
  expect(loading).toContain('<progress aria-busy="true"');
});

describe("the run strip", () => {
  beforeEach(() => runStore.setState(emptyView(), true));

  it("is absent without a run", () => expect(render(<RunStrip onStop={() => {}} />)).toBe(""));
  it("says state, stage, progress and pace", () => {
    show({ type: "phase", stage: "ppo", update: 31, phase: "rollout", done: 0, of: 1 });
    const text = read(<RunStrip onStop={() => {}} />);
    expect(text).toMatch(/Running PPO update 10 \/ 40 · playing episodes about .* left in PPO/);
    expect(text).toMatch(/tokens\/s · \d+ episodes\/s/);
  });
  it("says neither memory nor speed of a run that is at rest", () => {
    const facts = () => read(<RunStrip onStop={() => {}} />).match(/tokens\/s|[KMG]iB/g) ?? [];
    show();
    expect(facts()).toHaveLength(2);
    show({ type: "run_finished", update: 30, reason: "stopped" });
    expect(facts()).toEqual([]);
    const stored = { runId: "r", config, events: fakeRun("r", config, 30), update: 30 };
    show({ type: "stored_run_opened", ...stored, resuming: false, elsewhere: false });
    expect(facts()).toEqual([]);
  });
  it("offers Resume while paused", () => {
    show(
      { type: "command", command: "pause", status: "sent" },
      { type: "command", command: "pause", status: "done" },
    );
    expect(read(<RunStrip onStop={() => {}} />)).toMatch(/Paused .* Resume Step/);
  });
});

describe("notices", () => {
  it("say what happened to the device and from which update training resumes", () => {
    show({
      type: "device_lost",
      update: 30,
      message: "reset by the driver",
      recovering: true,
      resumeFrom: 24,
    });
    expect(read(<Notices />)).toContain(
      "The run is saved at PPO update 4. Training resumes from there on a new device.",
    );
  });
  it("offer the way out of storage trouble once, however many parts of the run cannot be saved", () => {
    const part = (code: string) =>
      ({ type: "warning", update: 3, code, message: `${code} failed.` }) as const;
    show(part("storage"), part("storage_log"), part("storage_traces"));
    const text = read(<Notices />);
    expect(text).toContain("storage_traces failed.");
    expect(text.match(/Download checkpoint Stored runs…/g)).toHaveLength(1);
  });
  const begun = (alarm: string, severity: "warning" | "danger" = "warning"): ViewEvent => ({
    ...{ type: "alarm", update: 33, began: 31, alarm, state: "begun", severity },
    ...{ title: alarm, meaning: "m.", remedy: "Go back to an earlier checkpoint.", evidence: [] },
  });
  const rate = { path: "actor.lr", from: 4e-4, to: 0.1 };
  it("offer to check the GPU when the loss of SFT or the start looks wrong or the policy leaps, and at no other alarm", () => {
    for (const alarm of ["sft_loss", "weak_start", "kl_spike"]) {
      show(begun(alarm));
      expect(read(<Notices />), alarm).toContain("Check this GPU…");
    }
    show(begun("echo"));
    expect(read(<Notices />)).not.toContain("Check this GPU…");
  });
  it("name a setting that was changed shortly before an alarm, and offer to set it back", () => {
    show({ type: "config_changed", update: 30, ...rate }, begun("kl_spike"));
    expect(read(<Notices />)).toMatch(
      /“Actor learning rate” was changed from 0\.0004 to 0\.1 after PPO update 10, shortly before\. .*Set “Actor learning rate” back to 0\.0004/,
    );
    expect(read(<Notices />)).not.toContain("Check this GPU…");
    expect(read(<Notices />)).toContain("choose the file with “A file…” under Configure → Start from");
  });
  it("offer nothing to set back once the value is another, or the run has ended", () => {
    const back = { type: "config_changed", update: 34, ...{ ...rate, from: 0.1, to: 4e-4 } } as const;
    const changed = [{ type: "config_changed", update: 30, ...rate } as const, begun("kl_spike")];
    show(...changed, back);
    expect(read(<Notices />)).not.toContain("Set “");
    show(...changed, { type: "run_finished", update: 34, reason: "stopped" });
    expect(read(<Notices />)).not.toContain("Set “");
  });
  it("put several alarms on one line, as serious as the most serious", () => {
    show(begun("echo"), begun("entropy_collapse", "danger"), begun("kl_spike"));
    const html = render(<Notices />);
    expect(html.match(/role="(alert|status)"/g)).toEqual(['role="alert"']);
    expect(html).toMatch(/<summary[^>]*>3 alarms: echo, entropy_collapse, kl_spike<\/summary>/);
    expect(html).not.toMatch(/<details[^>]* open/);
    // Open, they take the height that they need: the page scrolls, not a part of it.
    expect(html).not.toMatch(/overflow-auto|max-h-/);
    show(begun("echo"));
    expect(render(<Notices />)).toContain('role="status"');
  });
  it("take no room for actions where an alarm has none, alone or among others", () => {
    for (const alarms of [[begun("echo")], [begun("echo"), begun("entropy_collapse")]]) {
      show(...alarms);
      const empty = render(<Notices />).match(/<div class="notice-actions[^"]*"><\/div>/g);
      expect(empty).toHaveLength(alarms.length);
      for (const actions of empty!) expect(actions).toContain("empty:hidden");
    }
  });
  it("say why a run failed, and what to do", () => {
    const error = {
      name: "GpuError",
      code: "out_of_memory",
      message: "No room for 3 GB.",
      hint: "Use a smaller preset.",
    };
    show({ type: "run_failed", error });
    expect(read(<Notices />)).toMatch(
      /The run failed No room for 3 GB\. Use a smaller preset\..*GpuError · out_of_memory/,
    );
  });
  it("lead from a failed extension to its text first, and say where it failed", () => {
    const where = "Object.step, line 12";
    const error = {
      name: "EnvError",
      code: "own_failed",
      message: "step failed.",
      hint: "Correct it.",
      where,
    };
    show(
      { type: "checkpoint", update: 24, bytes: 1, name: "c" },
      { type: "run_finished", update: 30, reason: "failed", error },
    );
    expect(read(<Notices />)).toContain("Go to the extensions Retry from PPO update 4 Start again");
    expect(render(<Notices />).match(/btn-primary/g)).toHaveLength(1);
    expect(read(<Notices />)).toContain("EnvError · own_failed Object.step, line 12");
  });
  it("lead a diverged run back to its checkpoint, and let a failed one try again", () => {
    const error = { name: "PolicyError", code: "non_finite", message: "Not finite.", hint: "" };
    const saved = { type: "checkpoint", update: 24, bytes: 1, name: "c" } as const;
    show(saved, { type: "run_finished", update: 30, reason: "diverged", error });
    expect(read(<Notices />)).toContain("Go back to PPO update 4 and halve the learning rate Start again");
    // All of it counts within the stage.
    expect(read(<Notices />)).toContain("Training diverged at PPO update 10:");
    expect(read(<Notices />)).toContain("The last checkpoint is from PPO update 4.");
    show(saved, { type: "run_finished", update: 30, reason: "failed", error });
    expect(read(<Notices />)).toContain("Retry from PPO update 4 Start again");
  });
  const run: StoredRun = {
    runId: "old",
    name: "Lake",
    update: 30,
    totalUpdates: 60,
    savedAt: Date.now(),
    config,
    elsewhere: false,
    recordingKept: false,
    events: fakeRun("old", config, 30),
  };
  const offered = (stored: StoredRun[], view = emptyView()) => snapshot(<Offers />, view, { stored });
  const offer = (...runs: StoredRun[]) => textOf(offered(runs));
  const listed = (view: RunView, runs: StoredRun[], forSpace = false) =>
    textOf(
      snapshot(<StoredRunsDialog open onClose={() => {}} forSpace={forSpace} />, view, { stored: runs }),
    );
  const list = (view: RunView, ...runs: StoredRun[]) => listed(view, runs);
  const ending = (reason: "stopped" | "diverged"): StoredRun => ({
    ...run,
    events: [...run.events, { type: "run_finished", update: 33, reason }],
  });
  it("offer the newest stored run on one line, which says how it ended", () => {
    expect(offer(run)).toMatch(
      /^ Lake was interrupted at PPO update 10 of 40; saved (?:just now|\d+ s ago) Resume from PPO update 10 Open More… $/,
    );
    expect(offer({ ...run, update: 60 })).toMatch(/^ Lake finished at PPO update 40; .* Open More… $/);
    expect(offer({ ...run, update: 106 })).toContain("Lake finished at PPO update 86;");
    expect(offer(ending("stopped"))).toMatch(/Lake was stopped at .* Resume from PPO update 10 Open More…/);
    expect(offer(ending("diverged"))).toMatch(
      /Lake diverged at .* Resume from PPO update 10 with half the learning rate Open More…/,
    );
    expect(offer(run, { ...run, runId: "older", name: "Pond" })).toMatch(/Lake .* All 2 runs…/);
  });
  it("offer no run without an update, which is only in the list and is no better than another start", () => {
    const none = { ...ending("stopped"), update: 0 };
    expect(offer(none)).toBe("");
    expect(offer(none, { ...run, runId: "older", name: "Pond" })).toMatch(/^ Pond was .* All 2 runs…/);
    expect(list(emptyView(), none)).toMatch(
      /Lake was stopped before its first update[;,] .* Start from its beginning Open Discard/,
    );
    const primary = (stored: StoredRun) =>
      snapshot(<StoredRunsDialog open onClose={() => {}} />, emptyView(), { stored: [stored] }).includes(
        "btn-primary",
      );
    expect([primary(none), primary(run)]).toEqual([false, true]);
  });
  it("count as the strip does: within the stage", () => {
    expect(offer({ ...run, update: 12 })).toMatch(/at SFT update 12 of 20; .* Resume from SFT update 12/);
    const events = run.events.filter((event) => event.type !== "stage");
    expect(offer({ ...run, events })).toContain("at update 30 of 60;");
  });
  it("list all runs that are stored, with what they reached", () => {
    const other = { ...run, runId: "older", name: "Pond", update: 60 };
    expect(list(emptyView(), run, other)).toMatch(
      / Lake .* of 40, success .* Resume from PPO update 10 Open Discard Pond finished at .* Open Discard/,
    );
    // An active run leaves nothing but to discard others for space.
    const active = viewOf(fakeRun("r", config, 30));
    expect(list(active, run)).toMatch(/Lake .*; saved (?:just now|\d+ s ago) Discard/);
    expect(list(active, run)).not.toContain("Resume");
  });
  it("say why the list of stored runs is empty, and what else frees space where that is meant", () => {
    const active = viewOf(fakeRun("r", config, 30));
    const empty = "No other stored run can be opened or discarded here.";
    expect(listed(active, [{ ...run, runId: "r" }])).toContain(empty);
    expect(listed(active, [])).not.toContain("To free space");
    expect(listed(active, [], true)).toContain(`${empty} To free space, delete files`);
  });
  it("list stored runs after the session has changed", () => {
    useSession.setState({ stored: [] });
    expect(list(emptyView(), run)).toContain("Lake was interrupted");
  });
  it("offer stored runs without a live region, as their age changes", () => {
    const html = offered([run]);
    expect(html).toMatch(/^<section aria-label="Stored run"/);
    expect(html).not.toMatch(/role="(status|alert)"|aria-live/);
  });
  it("offer no stored run beside the one on screen", () => {
    expect(offered([run], viewOf(fakeRun("r", config, 30)))).toBe("");
  });
  it("do not offer stored runs again that were dismissed, unless one was interrupted since", () => {
    const stopped = ending("stopped");
    expect([isOffered([run], null), isOffered([], null)]).toEqual([true, false]);
    const dismissed = [savedKey(run)];
    expect(isOffered([run, stopped], dismissed)).toBe(false);
    expect(isOffered([{ ...stopped, runId: "new" }, run], dismissed)).toBe(false);
    expect(isOffered([{ ...run, runId: "new" }, run], dismissed)).toBe(true);
  });
  it("offer a dismissed run again that was resumed and interrupted again", () => {
    dismissRuns([run]);
    const { keys } = useDismissed.getState();
    expect(isOffered([run], keys)).toBe(false);
    expect(isOffered([{ ...run, update: 40, savedAt: run.savedAt + 60_000 }], keys)).toBe(true);
    useDismissed.setState({ keys: null });
  });
  it("say that another tab has a run", () => {
    const held = { ...run, elsewhere: true };
    expect(read(<RunElsewhere run={held} shown={false} />)).toMatch(
      /A run is open in another tab Lake was saved there at PPO update 10 of 40.* Show it as it was last saved/,
    );
    show({ type: "taken_elsewhere", runId: "r" });
    expect(read(<RunElsewhere run={{ ...held, update: 40 }} shown />)).toMatch(
      /Shown as it was last saved; another tab trains it .* Show PPO update 20, saved since/,
    );
  });
  it("offer no run that another tab has, but others", () => {
    const other = { ...run, runId: "other", name: "Pond" };
    expect(offer({ ...run, elsewhere: true }, other)).toMatch(/^ Pond was interrupted .* More… $/);
  });
  it("say that a run was lost before it was saved, and where its settings are", () => {
    const said = () => read(<LostRun runId="lake-1" name="Lake" />);
    expect(said()).toMatch(/Lake was lost, .* The form has other settings now\./);
    const initial = useDraft.getInitialState();
    initial.runId = "lake-1";
    expect(said()).toMatch(/Lake was lost, .* Its settings, .* are in the form\. Press “Start training”/);
    initial.runId = null;
  });
});

describe("the summary", () => {
  const finish = (update: number, reason: "completed" | "stopped") =>
    show({ type: "checkpoint", update, bytes: 1, name: "c" }, { type: "run_finished", update, reason });
  it("continues a stopped run, and a complete one for longer", () => {
    useSession.setState({ probe: { state: "ready", gpu: fakeProbe } });
    finish(30, "stopped");
    expect(read(<Summary />)).toMatch(/The run was stopped .* Continue Download checkpoint/);
    finish(60, "completed");
    expect(read(<Summary />)).toMatch(/The run has finished .* Train 40 more updates Download checkpoint/);
    expect(render(<Summary />)).toContain('aria-label="How many more updates"');
  });
  it("says why a run cannot be continued", () => {
    useSession.setState({ probe: { state: "ready", gpu: { ...fakeProbe, available: false } } });
    finish(30, "stopped");
    expect(render(<Summary />)).toMatch(/disabled="" title="This browser cannot train\."/);
  });
});

describe("the list of events", () => {
  it("speaks of settings by their titles, folded as well as open", () => {
    const path = "trainer.total_updates";
    show({ type: "config_changed", update: 30, path, from: 40, to: 90 });
    expect(read(<EventLog />).match(/“PPO updates”: 40 → 90/g)).toHaveLength(2);
  });
});

describe("a parameter", () => {
  const field = fieldsFor("frozenlake").find((known) => known.path === "actor.lr")!;
  const row = (more: object) => (
    <FieldRow
      field={field}
      value={4e-4}
      usual={4e-4}
      changed={false}
      unreadable={undefined}
      problem=""
      idle=""
      {...more}
    />
  );
  it("has a label, a slider, a field and its apply class", () => {
    const html = render(row({}));
    expect(html).toContain('value="4e-4"');
    expect(html).toContain('type="range"');
    expect(read(row({}))).toMatch(/Actor learning rate .*live/);
  });
  it("ties its problem to the field", () => {
    const html = render(row({ problem: "It must be at least 1e-8." }));
    const id = /id="([^"]+-problem)"/.exec(html)![1];
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain(`aria-describedby="${id}"`);
  });
  it("calls a value unusual only where it has an effect", () => {
    expect(read(row({ value: 0.5 }))).toContain("Unusual:");
    expect(read(row({ value: 0.5, idle: "Only in PPO." }))).not.toContain("Unusual:");
  });
  it("can go back to the preset when changed", () => {
    expect(render(row({ changed: true, value: 1e-3 }))).toContain("Back to 4e-4: Actor learning rate");
  });
});

describe("where a run starts from", () => {
  const html = (draft: RunConfig) => render(<StartFrom id="start" draft={draft} describedBy={{}} />);
  const from = (init_checkpoint: string) => ({ ...config, trainer: { ...config.trainer, init_checkpoint } });
  const nano = { ...config.model, hidden_size: 32, intermediate_size: 80 };
  it("is nothing, a policy that fits, or a file", () => {
    const shown = html({ ...from(""), model: nano });
    expect(shown).toContain('<option value="" selected="">Random weights (SFT first)</option>');
    expect(shown).toContain('<option value="frozenlake-nano-trained">FrozenLake nano, trained</option>');
    expect(shown).toContain('aria-label="Checkpoint file"');
  });
  it("says why a policy does not fit", () => {
    const draft = { ...from("frozenlake-small-warmup"), model: nano };
    expect(html(draft)).toMatch(
      /<option value="frozenlake-small-warmup" disabled="" selected="">FrozenLake small, after SFT \(needs width 64\)/,
    );
    expect(misfitObstacle(draft)).toBe(
      "“Width” is 32; the policy “FrozenLake small, after SFT” needs width 64.",
    );
    expect(misfitObstacle({ ...draft, model: { ...nano, hidden_size: 64, intermediate_size: 176 } })).toBe(
      "",
    );
  });
  it("keeps a run from starting with a policy that lacks the draft's words", () => {
    const fits = {
      ...from("frozenlake-small-warmup"),
      model: { ...nano, hidden_size: 64, intermediate_size: 176 },
    };
    expect(misfitObstacle(fits)).toBe("");
    const cells = { ...fits, rollout: { ...fits.rollout, state_format: "structured" as const } };
    expect(misfitObstacle(cells)).toMatch(/“FrozenLake small, after SFT” needs .* In words\.$/);
    const longer = { ...fits, rollout: { ...fits.rollout, max_turns: 8 } };
    expect(misfitObstacle(longer)).toMatch(
      /^“Turns per episode” is 8; the policy .* needs at most 5 turns per episode\.$/,
    );
    // A file of one's own is judged when it is read.
    expect(misfitObstacle({ ...longer, trainer: from("mine").trainer })).toBe("");
  });
  it("names the environments whose episodes are too long for a policy", () => {
    const three = presets.get("three-tasks-small").config;
    const withTurns = (path: string, turns: number) => misfitObstacle(setPath(three, path, turns));
    expect(withTurns("envs.navigation.max_turns", 8)).toMatch(
      /^“Turns per episode” is 8 in navigation; the policy .* needs at most 6 turns per episode in navigation\.$/,
    );
    expect(withTurns("rollout.max_turns", 7)).toMatch(
      /is 7 in frozenlake and 7 in sokoban; .* at most 6 turns per episode in frozenlake and sokoban\.$/,
    );
    expect(withTurns("envs.navigation.max_turns", 4)).toMatch(
      /is at most 5; .* needs 6 turns per episode in one of the run's environments\.$/,
    );
  });
  it("says of random weights that the bundled policy took several runs, and where they are listed", () => {
    const scratch = (id: string) => html(setPath(presets.get(id).config, "trainer.init_checkpoint", ""));
    const shown = scratch("navigation-small");
    expect(textOf(shown)).toContain(
      "“Navigation small, after SFT” was not trained from random weights in a single run of SFT, but in several runs",
    );
    expect(shown).toContain('href="./checkpoints/README.md"');
    expect(scratch("frozenlake-nano")).not.toContain("README");
    expect(html(presets.get("navigation-small").config)).not.toContain("README");
  });
  it("names the tasks of a draft and of a policy, and what else the draft can start from", () => {
    const lake = presets.get("frozenlake-nano").config;
    const sokoban = applyChanges(lake, { "env.name": "sokoban" });
    expect(misfitObstacle(sokoban)).toBe(
      "“Task” is Sokoban; the policy “FrozenLake nano, after SFT” needs task FrozenLake.",
    );
    expect(misfitRemedy(sokoban)).toBe(
      "Start from “Sokoban nano, after SFT”, which fits, or from random weights (SFT first).",
    );
    const three = presets.get("three-tasks-small").config;
    expect(misfitObstacle(setPath(three, "trainer.init_checkpoint", "sokoban-small-warmup"))).toBe(
      "“Task” and “Further environments” are FrozenLake, Sokoban and Navigation; the policy “Sokoban small, after SFT” needs a run in Sokoban alone.",
    );
    expect(misfitObstacle({ ...three, envs: {} })).toBe(
      "“Task” is FrozenLake, with no other one under “Further environments”; the policy “Three tasks small, after SFT” needs a run in FrozenLake, Sokoban and Navigation.",
    );
    const wide = { ...three.envs.sokoban!, name: "frozenlake", config: { ...lake.env.config, size: 6 } };
    const two = { ...lake, envs: { wide } };
    expect(misfitObstacle(two)).toMatch(/^“.*” is 6 in wide; the policy .* needs .* 4 in wide\.$/);
    expect(misfitRemedy(two)).toBe("Start from random weights (SFT first).");
    expect(html(three)).toContain("Sokoban small, after SFT (needs a run in Sokoban alone)");
  });
  it("names the setting that lets a policy with fewer layers start a deeper one", () => {
    const { config } = presets.get("frozenlake-nano");
    const withLayers = (layers: number) => setPath(config, "model.num_hidden_layers", layers);
    const deeper = config.model.num_hidden_layers + 2;
    expect(misfitRemedy(withLayers(deeper))).toBe(
      "Set “Layers of the checkpoint” to “The same or fewer”, or start from random weights (SFT first).",
    );
    expect(misfitObstacle(setPath(withLayers(deeper), "trainer.init_layers", "fewer"))).toBe("");
    expect(misfitRemedy(withLayers(1))).toBe("Start from random weights (SFT first).");
  });
  it("names what a policy needs by the title and the value of its field", () => {
    const room = applyChanges(presets.get("spatial-gym-text-nano").config, { "env.config.task": "map" });
    expect(misfitObstacle(room)).toBe(
      "“Kind of task” is Map; the policy “SpatialGym text nano, after SFT” needs kind of task Direction.",
    );
    const shown = fieldsFor("spatial-gym").find(({ path }) => path === "env.config.task")!;
    expect([shown.title, ...shown.options!.map((option) => optionTitle(shown.path, option))]).toEqual(
      expect.arrayContaining(["Kind of task", "Map", "Direction"]),
    );
  });
  it("offers the preset of a task whose policy needs another model, and says what it changes", () => {
    const home = applyChanges(presets.get("frozenlake-nano").config, { "env.name": "navigation" });
    const shown = read(<OfferLine {...presetOffer(home, presets.all)!} />);
    expect(shown).toContain("The policy “Navigation small, after SFT” needs other settings,");
    expect(shown).toContain(
      "such as vision layers 2. Its preset replaces all settings here; Undo brings them back.",
    );
    expect(shown).toContain("Use the preset “Navigation small”");
  });
  it("names a chosen file, and what a configuration brought", () => {
    expect(html(from(fileChoice("blob:x", "mine.safetensors")))).toContain("File: mine.safetensors</option>");
    expect(html(from("my-own"))).toContain('<option value="my-own" selected="">my-own</option>');
  });
});

describe("the size of the draft", () => {
  it("is shown with its parts", () => {
    const size = { state: "known", plan: fakePlan } as const;
    expect(read(<SizeLine size={size} />)).toContain("132 k parameters · 112 MiB GPU");
  });
  it("comes with a warning where a large model meets a software adapter, and nowhere else", () => {
    const on = (software: boolean, parameters: number) => {
      const device = { vendor: "v", architecture: "a", description: "d", software, features: [] };
      const probe = { state: "ready", gpu: { ...fakeProbe, device } } as const;
      const size = { state: "known", plan: { ...fakePlan, parameters } } as const;
      return textOf(snapshot(<SizeLine size={size} />, emptyView(), { probe }));
    };
    expect(on(true, 4_492_740)).toContain("4.49 M parameters one update takes many minutes");
    expect(on(true, 325_060)).not.toContain("Too slow");
    expect(on(false, 4_492_740)).not.toContain("Too slow");
  });
  it("over the limit comes with advice (T13)", () => {
    const problem = { message: "The largest buffer needs 2 GB.", hint: "Set actor.x to 3 or less." };
    const size = { state: "known", plan: { ...fakePlan, problem } } as const;
    expect(obstacle(size)).not.toBeNull();
    expect(read(<SizeLine size={size} />).trim()).toBe(
      "Too large for this GPU. The largest buffer needs 2 GB. Set actor.x to 3 or less.",
    );
  });
});

describe("a draft that the plan refuses", () => {
  const refused = (name: string, code: string) =>
    ({ state: "refused", error: { name, code, message: "No such level.", hint: "Use [1, 12]." } }) as const;
  it("says why and what helps, and cannot be started", () => {
    const size = refused("EnvError", "unsolvable_level");
    expect(obstacle(size)).not.toBeNull();
    expect(read(<SizeLine size={size} />).trim()).toBe("No such level. Use [1, 12].");
  });
  it("is no such draft when only the worker is gone", () => {
    const size = refused("ProtocolError", "worker_died");
    expect(obstacle(size)).toBeNull();
    expect(read(<SizeLine size={size} />)).toBe("");
  });
});

describe("a turn", () => {
  const good = fakeTrajectory({ id: "x", seed: 3, skill: 1 });
  const bad = Array.from({ length: 30 }, (_, seed) => fakeTrajectory({ id: `y${seed}`, seed, skill: 0 }))
    .flatMap((t) => t.turns)
    .find((turn) => !turn.parsed.formatOk)!;

  it("is shown part by part", () => {
    const text = read(<ReplyText turn={good.turns[0]!} />);
    expect(text).toMatch(/Observation .*Reasoning .*Prediction .*Action .*Format valid/);
  });
  it("keeps the lines and columns of a drawn board, and names every part in whatever order", () => {
    const reply =
      "<observation>P_\n_G</observation>so<answer>Right</answer>then<prediction>_P\n_G</prediction>";
    const parsed = parseReply(reply, { format: "free_wm", actions: ["Right"], maxActions: 1 });
    const html = render(<ReplyText turn={{ ...good.turns[0]!, reply, parsed }} />);
    expect(html.match(/whitespace-pre-wrap font-mono[^>]*>[^<]+/g)).toHaveLength(2);
    expect(html).toContain(">_P\n_G</p>");
    expect([...html.matchAll(/aria-label="(\w+)"/g)].map(([, label]) => label)).toEqual(
      "Observation Reasoning Action Reasoning Prediction".split(" "),
    );
  });
  it("names its rewards as the charts do", () => {
    const rewards = { transition_modeling: 0.05, best_so_far: -0.1 };
    expect(read(<RewardParts turn={{ ...good.turns[0]!, rewards }} />)).toMatch(
      /Prediction \+0\.05 .*Earned before −0\.1/,
    );
  });
  it("says exactly why its format is wrong", () => {
    expect(read(<ReplyText turn={bad} />)).toContain(`Format wrong: ${bad.parsed.reason}`);
    expect(read(<BeliefTable turn={bad} />)).toContain("Not judged: format");
  });
  it("says of a right form with an unknown action that the action is why nothing is judged or paid", () => {
    const reason = "unknown action “Fly”";
    const turn = { ...bad, actionIsValid: false, parsed: { ...bad.parsed, formatOk: true, reason } };
    expect(read(<ReplyText turn={turn} />)).toContain(`Format valid, but ${reason}: no format reward`);
    expect(read(<BeliefTable turn={turn} />)).toContain("Not judged: action");
    expect(read(<BeliefTable turn={turn} />)).not.toContain("Not judged: format");
  });
  it("compares belief and truth field by field (R4)", () => {
    expect(read(<BeliefTable turn={good.turns[0]!} />)).toMatch(
      /Observation ✓ Match .*player row \d col \d row \d col \d ✓ right/,
    );
  });
  it("names each cell of the timeline", () => {
    const html = render(<TurnTimeline turns={good.turns} current={0} onChange={() => {}} />);
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
    expect(read(<TurnTimeline turns={good.turns} current={0} onChange={() => {}} />)).toMatch(
      /Turn 1 reward \+[\d.]+ , observation match/,
    );
  });
  it("gives a token's numbers to four digits, and none for what was given (R2, R3)", () => {
    const { tokens } = good;
    const [, first] = turnTokens(good, createVocabulary())[0]!.groups[0]!.tokens;
    const facts = Object.fromEntries(
      tokenFacts(good, first!.index, "train").map(({ name, value }) => [name, value]),
    );
    expect(facts.value).toBe(tokens.values[first!.index]!.toFixed(4));
    expect(Number(facts.advantage!.replace("−", "-"))).toBeCloseTo(tokens.advantages[first!.index]!, 3);
    expect(tokenFacts(good, 0, "train").map((fact) => fact.name)).toEqual(["id · position", "mask"]);
  });
});
