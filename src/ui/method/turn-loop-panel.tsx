// Panel: what happens in a turn, in order, on the turns of the episode.
import type { ReactNode } from "react";
import type { Turn } from "../../core/types.ts";
import { describeTruth } from "../episode/describe-truth.ts";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { cachedReplay, type TurnFrames } from "../episode/replay-frames.ts";
import { SectionBlock } from "../episode/section-look.tsx";
import { Actions, RewardParts, TurnTimeline, VerdictOf } from "../episode/turn-parts.tsx";
import type { MethodEpisode } from "./episode-tokens.ts";
import { signed } from "./numbers.tsx";
import { Panel } from "./panel.tsx";
import { useWalk, WalkButtons } from "./stepper.tsx";

/** A step of the loop. */
type StageId = "picture" | "observation" | "reasoning" | "prediction" | "answer" | "after" | "reward";

const STAGES: Readonly<Record<StageId, { name: string; says: string }>> = {
  picture: {
    name: "Picture",
    says: "The environment shows its state as a picture. The agent sees nothing else of it.",
  },
  observation: {
    name: "Observation",
    says: "The agent states what it sees. A judge compares that with the true state.",
  },
  reasoning: { name: "Reasoning", says: "It works out what to do, in words." },
  prediction: { name: "Prediction", says: "It states what the world will look like after its action." },
  answer: { name: "Action", says: "It acts. Only this part reaches the environment." },
  after: {
    name: "Environment",
    says: "The environment carries the action out. A judge compares the new state with the prediction.",
  },
  reward: {
    name: "Reward",
    says: "The turn is paid: for the task, for the format, and for claims that were true. Then the next turn begins.",
  },
};

/** The stages that a turn has: a reply's parts depend on its format. */
export function stagesOf({ parsed }: Turn): StageId[] {
  const said = (["observation", "reasoning", "prediction"] as const).filter((part) => parsed[part] !== "");
  return ["picture", ...said, "answer", "after", "reward"];
}

const LOOP_MS = 1800;

export function TurnLoopPanel({ episode, number }: { episode: MethodEpisode; number: number }) {
  const { trajectory, config } = episode.replay;
  const { turns } = trajectory;
  const steps = turns.flatMap((turn) => stagesOf(turn).map((stage) => ({ turn, stage })));
  const walk = useWalk(steps.length - 1, LOOP_MS);
  const { turn, stage } = steps[walk.step]!;
  const replayed = cachedReplay(trajectory, config.env.config);
  const frames = replayed.ok ? (replayed.turns[turn.index] ?? null) : null;
  return (
    <Panel
      number={number}
      title="The turn loop"
      lead="An episode is a conversation between the agent and the world. Each turn begins with a picture and ends with a reward."
      students="What the agent writes as observation and prediction is its belief about the world now and after its action. VAGEN pays for true beliefs, turn by turn, and not only for reaching the goal."
      terms={["turn", "trajectory", "rewards"]}
    >
      <div className="flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <WalkButtons walk={walk} back="Back" forward="Next" />
        <div className="w-full max-w-md">
          <TurnTimeline
            turns={turns}
            current={turn.index}
            onChange={(index) => walk.go(steps.findIndex((step) => step.turn.index === index))}
          />
        </div>
      </div>
      <StageList stages={stagesOf(turn)} current={stage} onPick={(to) => walk.go(stepOf(steps, turn, to))} />
      <p className="min-h-10 text-body sm:min-h-5" aria-live="polite">
        <span className="font-semibold">
          Turn {turn.index + 1}, {STAGES[stage].name.toLowerCase()}.
        </span>{" "}
        {STAGES[stage].says}
      </p>
      <TurnPicture envId={trajectory.envId} turn={turn} frames={frames} stage={stage} />
    </Panel>
  );
}

const stepOf = (steps: readonly { turn: Turn; stage: StageId }[], turn: Turn, stage: StageId) =>
  steps.findIndex((step) => step.turn === turn && step.stage === stage);

/** The stages as a line of buttons with arrows between them; the last leads back to the first. */
function StageList({
  stages,
  current,
  onPick,
}: {
  stages: readonly StageId[];
  current: StageId;
  onPick: (stage: StageId) => void;
}) {
  return (
    <ol className="flex flex-wrap items-center gap-y-1.5" aria-label="Stages of the turn">
      {stages.map((stage, n) => (
        <li key={stage} className="flex items-center">
          <button
            type="button"
            className="segment border border-line-strong"
            data-state={stage === current ? "active" : "inactive"}
            aria-current={stage === current ? "step" : undefined}
            style={stage === current ? { borderColor: "var(--accent)", color: "var(--accent)" } : {}}
            onClick={() => onPick(stage)}
          >
            {STAGES[stage].name}
          </button>
          <span className="px-1 text-muted" aria-hidden>
            {n + 1 < stages.length ? "→" : "↺"}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A thing of the turn with a frame that shows whether the step is about it. */
function Spot({ on, children }: { on: boolean; children: ReactNode }) {
  return (
    <div
      className={`rounded-lg outline-offset-2 ${on ? "outline-2 outline-accent" : ""}`}
      {...(on ? { "data-current": "" } : {})}
    >
      {children}
    </div>
  );
}

interface TurnPictureProps {
  envId: string;
  turn: Turn;
  frames: TurnFrames | null;
  stage: StageId;
}

function TurnPicture({ envId, turn, frames, stage }: TurnPictureProps) {
  const { parsed, reply } = turn;
  const parts = (["observation", "reasoning", "prediction"] as const).filter((part) => parsed[part] !== "");
  return (
    <div className="grid grid-cols-2 items-start gap-3 lg:grid-cols-[180px_minmax(0,1fr)_180px] lg:gap-4">
      <Spot on={stage === "picture"}>
        <StatePicture frame={frames?.before ?? null} name="Before" envId={envId} turn={turn} />
      </Spot>
      <div className="flex min-w-0 flex-col gap-2 max-lg:order-3 max-lg:col-span-2">
        {parts.map((part) => (
          <Spot key={part} on={stage === part}>
            <SectionBlock kind={part} aside={<VerdictOf turn={turn} kind={part} />}>
              <p className="text-dense whitespace-pre-wrap">{parsed[part]}</p>
            </SectionBlock>
          </Spot>
        ))}
        <Spot on={stage === "answer"}>
          <SectionBlock kind="answer">
            <Actions turn={turn} />
          </SectionBlock>
        </Spot>
        {!parsed.formatOk && (
          <SectionBlock kind="other">
            <p className="text-dense">{reply}</p>
          </SectionBlock>
        )}
        <Spot on={stage === "reward"}>
          <div className="rounded-lg bg-panel px-3 py-2">
            <p className="mb-1 text-caption font-semibold">Reward of the turn: {signed(turn.reward)}</p>
            <RewardParts turn={turn} />
          </div>
        </Spot>
      </div>
      <Spot on={stage === "after"}>
        <StatePicture
          frame={frames?.steps.at(-1) ?? frames?.before ?? null}
          name="After"
          envId={envId}
          turn={turn}
        />
      </Spot>
    </div>
  );
}

function StatePicture({
  frame,
  name,
  envId,
  turn,
}: {
  frame: TurnFrames["before"] | null;
  name: "Before" | "After";
  envId: string;
  turn: Turn;
}) {
  const scene = name === "Before" ? turn.before : turn.after;
  return (
    <figure className="m-0 max-w-[220px]">
      {frame ? (
        <div className="overflow-hidden rounded-lg border border-line">
          <FrameCanvas
            frame={frame}
            label={`${name} the action of turn ${turn.index + 1}. ${describeTruth(envId, scene)}`}
          />
        </div>
      ) : (
        <p className="rounded-lg border border-line bg-panel p-4 text-caption text-muted">
          This build cannot draw this episode.
        </p>
      )}
      <figcaption className="mt-1 text-caption text-muted">
        {name === "Before" ? "What the agent sees" : "The environment's answer"}
      </figcaption>
    </figure>
  );
}
