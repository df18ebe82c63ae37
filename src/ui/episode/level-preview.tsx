// A level of the configured task, before anything is trained: what the agent will see, and that it can be solved.
import { ChevronLeft, ChevronRight, Dices } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { gamesOf, largestPicture } from "../../config/entries.ts";
import { trainingSeeds } from "../../config/levels.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { TRAIN_SEEDS } from "../../config/run-config.ts";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import type { Frame } from "../../core/types.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import { envTitle } from "../../envs/registry.ts";
import { EmptyState, IconButton } from "../components/controls.tsx";
import { LoadBar } from "../components/load-bar.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { newestOnly } from "../lib/newest-only.ts";
import { room } from "../lib/room.tsx";
import { previewLevel } from "../session/session.ts";
import { problemInForm, wholeText } from "../settings/words.ts";
import { recheckDraft, useDraft } from "../store/draft-store.ts";
import { useSession } from "../store/session-store.ts";
import { useUi } from "../store/ui-store.ts";
import { EnvPicture } from "./env-picture.tsx";
import { PictureSwitch } from "./picture-switch.tsx";
import { hasChance, solutionText } from "./solution.ts";

const PolicyPlays = room(() => import("./policy-plays.tsx"));

export function LevelPreview({
  tools,
  below,
}: {
  tools?: React.ReactNode;
  /** What else can be done with the level on screen. */
  below?: (env: RunConfig["env"], seed: number) => React.ReactNode;
}) {
  const env = useDraft((state) => state.draft?.env);
  const [seed, setSeed] = useState<number>(TRAIN_SEEDS.first);
  const level = useLevelOfDraft(seed);
  if (!env) return <div className="skeleton m-4 h-80 rounded-lg" aria-busy="true" />;
  const showAnother = () => {
    const next = randomSeed();
    setSeed(next);
    return next;
  };
  return (
    <section aria-label="Level preview" className="group/preview flex flex-col gap-3 p-4">
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
      <Level env={env} seed={seed} {...level} />
      {canBuild(level) && (
        <Suspense fallback={null}>
          {below?.(env, seed)}
          <PolicyPlays env={env} seed={seed} onAnotherLevel={showAnother} />
        </Suspense>
      )}
    </section>
  );
}

interface LevelOfDraft {
  /** What is wrong with the task, so that it has no level. */
  ofTask: readonly ConfigProblem[];
  /** The newest level that was drawn, or why there is none. */
  answer: Answer | null;
  askAgain(): void;
}

function useLevelOfDraft(seed: number): LevelOfDraft {
  const env = useDraft((state) => state.draft?.env);
  const problems = useDraft((state) => state.problems);
  const ofTask = useMemo(() => problems.filter(({ path }) => path.startsWith("env.")), [problems]);
  const [answer, askAgain] = useLevel(env && ofTask.length === 0 ? env : null, seed);
  return { ofTask, answer, askAgain };
}

/** Whether there is a level to play. What is being loaded or drawn counts as one. */
export const canBuild = ({
  ofTask,
  answer,
}: {
  ofTask: readonly unknown[];
  answer: { error: Pick<SerializedError, "code"> | null } | null;
}): boolean => ofTask.length === 0 && (!answer?.error || answer.error.code === "not_loaded");

function Level({
  env,
  seed,
  ofTask,
  answer,
  askAgain,
}: { env: RunConfig["env"]; seed: number } & LevelOfDraft) {
  const { draft, problems } = useDraft();
  const load = useSession(({ loads }) => loads[env.name]);
  const picture = useUi((ui) => ui.picture);
  if (ofTask.length > 0) return <NoLevel reasons={ofTask.map(problemInForm)} />;
  // The level before belongs to another environment.
  if (load?.state === "loading" && answer?.env.name !== env.name) return <LoadBar progress={load.progress} />;
  if (!answer) return <div className="skeleton h-80 rounded-lg" aria-busy="true" />;
  if (answer.error?.code === "not_loaded")
    return (
      <LoadFailure what={envTitle(answer.env.name)} problem={wholeText(answer.error)} retry={askAgain} />
    );
  if (answer.error) return <NoLevel reasons={[wholeText(answer.error)]} />;
  const { title, description, frame, further, seen, truth, moves, seed: drawn } = answer.level;
  const within = draft && problems.length === 0 ? pictureAround(draft, seen[0] ?? null) : null;
  const late = answer.env !== env || answer.seed !== seed;
  return (
    // Most levels are there before this can be seen.
    <div
      aria-busy={late}
      className={`flex flex-col gap-3 transition-opacity ${late ? "opacity-50 delay-300" : ""}`}
    >
      <EnvPicture
        envId={answer.env.name}
        frame={frame}
        further={further}
        seen={seen}
        within={within}
        truth={truth}
        title={`${title}, level ${drawn}`}
        view={picture}
      />
      <PictureSwitch />
      <div className="text-dense">
        <p className="mb-1 font-semibold">{title}</p>
        <p className="text-muted">{description}</p>
        <Solution truth={truth} moves={moves} envId={answer.env.name} />
      </div>
    </div>
  );
}

const UNKNOWN = "No solution is known for this level.";
const CHANCE = "Chance decides, so no plan is sure to succeed.";

/** The right answer, or how long a solution is. A visitor who plays the level (`OwnPlay`) does not see the answer either. */
export function Solution({ truth, moves, envId }: Pick<LevelPicture, "truth" | "moves"> & { envId: string }) {
  const { answer } = truth.facts ?? {};
  if (answer !== undefined)
    return (
      <p className="mt-2 group-has-data-own-keys/preview:hidden">
        The right answer is {String(answer)}. The agent does not see it.
      </p>
    );
  const text = solutionText({ truth, moves }, envId) ?? (hasChance(envId) ? CHANCE : UNKNOWN);
  return <p className="mt-2">{text}</p>;
}

/** The size of a run's pictures where another of its environments has larger ones than the level on screen; null elsewhere. */
export function pictureAround(run: RunConfig, seen: Pick<Frame, "width" | "height"> | null) {
  const [own] = gamesOf(run);
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

type Answer = { env: RunConfig["env"]; seed: number } & (
  | { level: LevelPicture; error: null }
  | { level: null; error: SerializedError }
);

const SETTLE_MS = 120;

/** The newest level that the worker has drawn, null while there is none, and without a task; and a function that asks for it again. */
function useLevel(env: RunConfig["env"] | null, seed: number): [Answer | null, () => void] {
  const connection = useSession((session) => session.connection);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [ask] = useState(() =>
    newestOnly(async (request: { env: RunConfig["env"]; seed: number }) => {
      try {
        setAnswer({ ...request, level: await previewLevel(request.env, request.seed), error: null });
      } catch (error) {
        const refusal = serializeError(error);
        setAnswer({ ...request, level: null, error: refusal });
        refuseStart(request, refusal);
      }
    }),
  );
  const first = useRef(true);
  useEffect(() => {
    if (connection === 0 || !env) return;
    const timer = setTimeout(() => ask({ env, seed }), first.current ? 0 : SETTLE_MS);
    first.current = false;
    return () => clearTimeout(timer);
  }, [connection, env, seed, ask]);
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
function refuseStart({ env, seed }: { env: RunConfig["env"]; seed: number }, error: SerializedError): void {
  const { draft } = useDraft.getState();
  if (draft?.env === env && seed === trainingSeeds(draft)[0])
    useSession.setState({ size: { state: "refused", error } });
}

/** Not for training: which level a person looks at need not be reproducible. */
function randomSeed(): number {
  const { draft } = useDraft.getState();
  const seeds = draft ? trainingSeeds(draft) : [];
  // A draft may name seeds that cannot be read.
  return seeds[Math.floor(Math.random() * seeds.length)] ?? TRAIN_SEEDS.first;
}
