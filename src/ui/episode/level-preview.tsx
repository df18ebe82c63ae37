// A level of the configured task, before anything is trained: what the agent will see, and that it can be solved.
import { ChevronLeft, ChevronRight, Dices, Gamepad2 } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { bundledForRun } from "../../config/bundled.ts";
import { entryConfig, envIdsOf, furtherEntries, gamesOf, largestPicture } from "../../config/entries.ts";
import { trainingSeeds } from "../../config/levels.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { TRAIN_SEEDS } from "../../config/run-config.ts";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import type { Frame } from "../../core/types.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import { envs, envTitle } from "../../envs/registry.ts";
import { EmptyState, IconButton, Segmented } from "../components/controls.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { newestOnly } from "../lib/newest-only.ts";
import { previewLevel } from "../session/session.ts";
import { problemInForm, wholeText } from "../settings/words.ts";
import { recheckDraft, useDraft } from "../store/draft-store.ts";
import { useSession } from "../store/session-store.ts";
import { useUi } from "../store/ui-store.ts";
import { floorClaims, ghostsBefore, ghostsOf } from "./beliefs.ts";
import { EnvPicture } from "./env-picture.tsx";
import { LevelPlace } from "./level-place.tsx";
import { PictureSwitch } from "./picture-switch.tsx";
import {
  filmOf,
  PlayedStrip,
  PolicyPlays,
  type ShownTurn,
  type TurnFilm,
  useShownTurn,
} from "./policy-plays.tsx";
import { hasChance, solutionText } from "./solution.ts";
import { isTextOnly, textViewOf } from "./text-view.ts";
import { useLevelPlay } from "./use-level-play.ts";

interface LevelPreviewProps {
  tools?: React.ReactNode;
  /** The level on screen, played by the person; it takes the place of the picture. */
  ownLevel: (level: { env: RunConfig["env"]; seed: number; onBack: () => void }) => React.ReactNode;
  turnFilm: TurnFilm;
}

export function LevelPreview(props: LevelPreviewProps) {
  const run = useDraft((state) => state.draft);
  if (!run) return <div className="skeleton m-4 h-80 rounded-lg" aria-busy="true" />;
  return <Preview run={run} {...props} />;
}

/** One picture: of the level, of the person's game in it, or of a policy's. */
function Preview({ run, tools, ownLevel, turnFilm }: LevelPreviewProps & { run: RunConfig }) {
  const [seed, setSeed] = useState<number>(TRAIN_SEEDS.first);
  const { env, entry, chooseEntry } = useEnvOf(run);
  const level = useLevelOfDraft(env, entry, seed);
  const play = useLevelPlay({ run: entryConfig(run, entry), env, seed, policies: bundledForRun(run, env) });
  const moment = useShownTurn(env, seed, play.shown?.turns, true);
  const stage = useRef<HTMLDivElement>(null);
  const own = useOwn(stage);
  const isPlayable = canBuild(level);
  const isOwn = own.isOpen && isPlayable;
  const showAnother = () => {
    const next = randomSeed(entryConfig(run, entry));
    setSeed(next);
    return next;
  };
  return (
    <section aria-label="Level preview" className="@container flex flex-col gap-3 p-4">
      <div className="flex items-center gap-1">
        <h2 className="text-lead font-semibold">Level</h2>
        <span className="flex-1" />
        <IconButton
          icon={ChevronLeft}
          name="Previous level"
          small
          onClick={() => setSeed(Math.max(0, seed - 1))}
        />
        <span className="nums min-w-12 text-center text-dense">{seed}</span>
        <IconButton icon={ChevronRight} name="Next level" small onClick={() => setSeed(seed + 1)} />
        <IconButton icon={Dices} name="A random training level" small onClick={showAnother} />
        {tools}
      </div>
      <EnvChoice run={run} entry={entry} onChoose={chooseEntry} />
      <div ref={stage} className="scroll-mt-[calc(var(--sticky-top)+3.5rem)] lg:scroll-mt-14">
        {isOwn ? (
          <Suspense fallback={<div className="skeleton h-80 rounded-lg" aria-busy="true" />}>
            {ownLevel({ env, seed, onBack: own.leave })}
          </Suspense>
        ) : (
          <Level
            env={env}
            entry={entry}
            seed={seed}
            moment={moment}
            turns={<PlayedStrip moment={moment} play={play} />}
            turnFilm={turnFilm}
            {...level}
          />
        )}
      </div>
      {isPlayable && !isOwn && (
        <PolicyPlays
          play={{
            ...play,
            start: (of) => {
              stage.current?.scrollIntoView({ block: "nearest" });
              return play.start(of);
            },
          }}
          moment={moment}
          seed={seed}
          onAnotherLevel={showAnother}
        >
          <button
            ref={own.button}
            type="button"
            className="btn btn-small"
            onClick={() => {
              play.stop();
              own.enter();
            }}
          >
            <Gamepad2 size={14} aria-hidden /> Play it yourself
          </button>
        </PolicyPlays>
      )}
      {isPlayable && <AboutLevel env={env} answer={level.answer} isOwn={isOwn} />}
    </section>
  );
}

/** Whether the person plays. The button that began it has the focus again afterwards. */
function useOwn(stage: React.RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    if (isOpen) stage.current?.scrollIntoView({ block: "start" });
    else button.current?.focus();
  }, [isOpen, stage]);
  return { isOpen, button, enter: () => setOpen(true), leave: () => setOpen(false) };
}

/** The environment of a run that is on screen: the first one until another is chosen. `entry` names a further one. */
function useEnvOf(run: RunConfig) {
  const [chosen, chooseEntry] = useState("");
  const entry = furtherEntries(run).some(({ name }) => name === chosen) ? chosen : undefined;
  const written = entry === undefined ? run.env : run.envs[entry];
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts of the run leave the environment as it is
  const env = useMemo(() => entryConfig(run, entry).env, [written]);
  return { env, entry, chooseEntry };
}

interface EnvChoiceProps {
  run: RunConfig;
  entry: string | undefined;
  onChoose: (entry: string) => void;
}

/** Nothing for a run in one environment. */
export function EnvChoice({ run, entry = "", onChoose }: EnvChoiceProps) {
  const further = furtherEntries(run);
  if (further.length === 0) return null;
  const ids = envIdsOf(run);
  // Two entries may be of one environment.
  const label = (id: string, name: string) =>
    ids.filter((other) => other === id).length > 1 && name ? `${envTitle(id)} (${name})` : envTitle(id);
  const choices = further.map(({ name, config }) => ({ value: name, label: label(config.env.name, name) }));
  return (
    <Segmented
      name="Environment of the level"
      className="self-start"
      value={entry}
      choices={[{ value: "", label: label(run.env.name, "") }, ...choices]}
      onChange={onChoose}
    />
  );
}

interface LevelOfDraft {
  /** What is wrong with the task, so that it has no level. */
  ofTask: readonly ConfigProblem[];
  /** The newest level of the environment that was drawn, or why there is none; null until one is. */
  answer: Answer | null;
  askAgain(): void;
}

function useLevelOfDraft(env: RunConfig["env"], entry: string | undefined, seed: number): LevelOfDraft {
  const problems = useDraft((state) => state.problems);
  const base = useDraft((state) => state.base);
  const place = entry === undefined ? "env." : `envs.${entry}.`;
  const ofTask = useMemo(() => problems.filter(({ path }) => path.startsWith(place)), [problems, place]);
  const [answer, askAgain] = useLevel(ofTask.length === 0 ? env : null, seed, base);
  return { ofTask, answer: answerOf({ env, base }, answer), askAgain };
}

interface AsSeen {
  env: Pick<RunConfig["env"], "name" | "preset" | "config">;
  /** What the form began with: a preset, a file or a run. */
  base: RunConfig | null;
}

/**
 * The answer if it has levels of that environment, or such as they were before the options of the form were edited. While the first
 * level of another task or preset is drawn, no other level is shown.
 */
export const answerOf = <A extends AsSeen>(asked: AsSeen, answer: A | null): A | null =>
  answer && (hasSameLevels(answer, asked) || isBeforeEdit(answer, asked)) ? answer : null;

const hasSameLevels = ({ env: { name, config } }: AsSeen, { env }: AsSeen): boolean =>
  name === env.name && JSON.stringify(config) === JSON.stringify(env.config);

/** Whether they come from one preset of one environment, as pictures or as text. */
const isBeforeEdit = (before: AsSeen, { env, base }: AsSeen): boolean =>
  before.base === base &&
  before.env.name === env.name &&
  before.env.preset === env.preset &&
  isTextOnly(before.env.config) === isTextOnly(env.config);

/** Whether there is a level to play. What is being loaded or drawn counts as one. */
export const canBuild = ({
  ofTask,
  answer,
}: {
  ofTask: readonly unknown[];
  answer: { error: Pick<SerializedError, "code"> | null } | null;
}): boolean => ofTask.length === 0 && (!answer?.error || answer.error.code === "not_loaded");

interface LevelProps extends LevelOfDraft {
  env: RunConfig["env"];
  entry: string | undefined;
  seed: number;
  /** The turn of a policy's game that is shown in its place; null for none. */
  moment: ShownTurn | null;
  /** What chooses a turn of that game. */
  turns: React.ReactNode;
  turnFilm: TurnFilm;
}

function Level({ ofTask, answer, askAgain, ...shown }: LevelProps) {
  const { env } = shown;
  const load = useSession(({ loads }) => loads[env.name]);
  if (ofTask.length > 0) return <NoLevel reasons={ofTask.map(problemInForm)} />;
  if (!answer) return <LevelPlace env={env} load={load} />;
  if (answer.error?.code === "not_loaded")
    return (
      <LoadFailure what={envTitle(answer.env.name)} problem={wholeText(answer.error)} retry={askAgain} />
    );
  if (answer.error) return <NoLevel reasons={[wholeText(answer.error)]} />;
  return <LevelPictured {...shown} answer={answer} />;
}

interface LevelPicturedProps extends Omit<LevelProps, keyof LevelOfDraft> {
  answer: LevelAnswer;
}

function LevelPictured({ env, entry, seed, moment, turns, turnFilm, answer }: LevelPicturedProps) {
  const { draft, problems } = useDraft();
  const view = useUi((ui) => ui.picture);
  const [seen = null] = answer.level.seen;
  const within = draft && problems.length === 0 ? pictureAround(draft, seen, entry) : null;
  const late = !moment && (answer.env !== env || answer.seed !== seed);
  const now = moment?.frame
    ? { ...pictureOf(moment, moment.frame, env), moving: filmOf(moment, turnFilm) }
    : pictureOfStart(answer.env, answer.level, within);
  const shown = useNewest(now, late);
  return (
    // Most levels are there before this can be seen.
    <div
      aria-busy={late}
      className={`flex flex-col gap-3 transition-opacity ${late ? "opacity-50 delay-300" : ""}`}
    >
      <EnvPicture view={view} turns={turns} {...shown} />
      <PictureSwitch />
    </div>
  );
}

/** What was on screen last stays there until the level that is asked for is drawn, instead of another picture of the old one. */
function useNewest<P>(picture: P, isLate: boolean): P {
  const newest = useRef(picture);
  useEffect(() => {
    if (!isLate) newest.current = picture;
  });
  return isLate ? newest.current : picture;
}

/** A level before its first turn, as its picture. @param within the size of the run's pictures, where they are larger */
export function pictureOfStart(
  { name: envId, config }: RunConfig["env"],
  { title, seed, frame, further, seen, text, truth, floor }: LevelPicture,
  within: ReturnType<typeof pictureAround>,
) {
  const received = isTextOnly(config) ? { seen: [], reads: textViewOf(truth), text } : { seen, within };
  return { envId, frame, further, truth, floor, title: `${title}, level ${seed}`, ...received };
}

/** A turn of a policy's game, as its picture. */
export function pictureOf(
  {
    turns,
    index,
    further,
    truth,
    compared,
    floor,
    title,
  }: Omit<ShownTurn, "onChange" | "onFilmed" | "isBehind" | "frame" | "states">,
  frame: Frame,
  { name: envId, config }: Pick<RunConfig["env"], "name" | "config">,
) {
  const turn = turns[index]!;
  const about = truth === turn.after ? "prediction" : "observation";
  const game = { envId, envConfig: config };
  const claimed = {
    ghosts: about === "prediction" ? ghostsOf(turn, about, game) : ghostsBefore(turn, game),
    claims: floorClaims(turn, about),
  };
  const reads = `This is the level ${title.toLowerCase()} of the policy.`;
  const read = isTextOnly(config) && {
    text: turn.observation.text,
    textTitle: `What the policy read in turn ${index + 1}`,
  };
  return { envId, frame, further, seen: [], reads, ...read, truth, compared, floor, title, ...claimed };
}

interface AboutLevelProps {
  env: Pick<RunConfig["env"], "name" | "config">;
  answer: { level: Pick<LevelPicture, "seed" | "truth" | "moves"> | null } | null;
  isOwn: boolean;
}

/** What the task of the level is, and once there is a level, how long a solution is. */
export function AboutLevel({ env, answer, isOwn }: AboutLevelProps) {
  const spec = envs.all.find(({ id }) => id === env.name);
  if (!spec || (answer && !answer.level)) return null;
  return (
    <div className="text-dense">
      <p className="mb-1 font-semibold">{spec.title}</p>
      <p className="text-muted">{spec.description}</p>
      {answer?.level && <Solution key={answer.level.seed} {...answer.level} env={env} isOwn={isOwn} />}
    </div>
  );
}

const UNKNOWN = "No solution is known for this level.";
const CHANCE = "Chance decides, so no plan is sure to succeed.";

type SolutionProps = Pick<LevelPicture, "truth" | "moves"> &
  Pick<AboutLevelProps, "env"> & { isOwn?: boolean };

/** The right answer for those who ask for it, or how long a solution is. A person who plays the level is not offered the answer (`isOwn`). */
export function Solution({ truth, moves, env, isOwn = false }: SolutionProps) {
  const { answer } = truth.facts ?? {};
  if (answer !== undefined)
    return isOwn ? null : <RightAnswer key={`${env.name} ${answer}`} answer={answer} />;
  return <p className="mt-2">{solutionText({ truth, moves }, env) ?? (hasChance(env) ? CHANCE : UNKNOWN)}</p>;
}

/** Folded, because a person may want to find it. */
const RightAnswer = ({ answer }: { answer: string | number | boolean }) => (
  <details className="group mt-2">
    <summary className="w-fit rounded text-muted">
      <span className="group-open:hidden">Show the answer</span>
      <span className="not-group-open:hidden">Hide the answer</span>
    </summary>
    <p className="mt-1">The right answer is {answer}. The agent does not see it.</p>
  </details>
);

/**
 * The size of a run's pictures where another of its environments has larger ones than the level on screen, which is of the first one or of
 * `entry`; null elsewhere.
 */
export function pictureAround(run: RunConfig, seen: Pick<Frame, "width" | "height"> | null, entry?: string) {
  const [own] = gamesOf(entryConfig(run, entry));
  const { rows, cols } = own!.spec.patches(own!.config);
  const whole = largestPicture(run);
  if (!seen || (whole.rows === rows && whole.cols === cols)) return null;
  return { width: (seen.width / cols) * whole.cols, height: (seen.height / rows) * whole.rows };
}

/** What is wrong, and what helps. */
function NoLevel({ reasons }: { reasons: readonly string[] }) {
  return (
    <EmptyState title="This level cannot be built">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </EmptyState>
  );
}

interface LevelRequest {
  env: RunConfig["env"];
  seed: number;
  base: RunConfig | null;
}

type LevelAnswer = LevelRequest & { level: LevelPicture; error: null };
type Answer = LevelAnswer | (LevelRequest & { level: null; error: SerializedError });

/** Options are typed, digit by digit; levels are chosen by one press of a button. */
const SETTLE_MS = 120;

/** The newest level that the worker has drawn, null while there is none, and without a task; and a function that asks for it again. */
function useLevel(
  env: RunConfig["env"] | null,
  seed: number,
  base: RunConfig | null,
): [Answer | null, () => void] {
  const connection = useSession((session) => session.connection);
  const [answer, setAnswer] = useState<Answer | null>(null);
  // What the newest level was asked for with, unless that failed.
  const asked = useRef<readonly unknown[]>([]);
  const [ask] = useState(() =>
    newestOnly(async (request: LevelRequest) => {
      try {
        setAnswer({ ...request, level: await previewLevel(request.env, request.seed), error: null });
      } catch (error) {
        const refusal = serializeError(error);
        asked.current = [];
        setAnswer({ ...request, level: null, error: refusal });
        refuseStart(request, refusal);
      }
    }),
  );
  const first = useRef(true);
  useEffect(() => {
    if (connection === 0 || !env) return;
    const question = [seed, connection, env, base];
    // A panel that is shown again keeps its level.
    if (question.every((part, i) => part === asked.current[i])) return;
    const isOtherLevel = question.slice(1).every((part, i) => part === asked.current[i + 1]);
    const timer = setTimeout(
      () => {
        asked.current = question;
        ask({ env, seed, base });
      },
      first.current || isOtherLevel ? 0 : SETTLE_MS,
    );
    first.current = false;
    return () => clearTimeout(timer);
  }, [connection, env, seed, base, ask]);
  const askAgain = () => {
    setAnswer(null);
    // The answer about the draft's size has failed as well.
    recheckDraft();
  };
  return [answer, askAgain];
}

/**
 * The answer about the draft's size says the same of the level that training begins with, but its own search may take
 * seconds more, and Start must not be offered beside a level that cannot be built.
 */
function refuseStart({ env, seed }: LevelRequest, error: SerializedError): void {
  const { draft } = useDraft.getState();
  if (draft?.env === env && seed === trainingSeeds(draft)[0])
    useSession.setState({ size: { state: "refused", error } });
}

/** Not for training: which level a person looks at need not be reproducible. */
function randomSeed(run: RunConfig): number {
  const seeds = trainingSeeds(run);
  // A draft may name seeds that cannot be read.
  return seeds[Math.floor(Math.random() * seeds.length)] ?? TRAIN_SEEDS.first;
}
