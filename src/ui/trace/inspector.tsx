// Everything about the current turn and the selected token, beside the text.
import * as Tabs from "@radix-ui/react-tabs";
import { useEffect, useState } from "react";
import type { Turn } from "../../core/types.ts";
import { RewardParts } from "../episode/turn-parts.tsx";
import { BeliefTable } from "../episode/verdict.tsx";
import type { StoredTrajectory } from "../store/run-view.ts";
import type { Place } from "./place.ts";
import { TokenFacts } from "./token-card.tsx";

const TABS = [
  { value: "state", label: "State" },
  { value: "token", label: "Token" },
  { value: "raw", label: "Raw" },
] as const;

interface InspectorProps {
  stored: StoredTrajectory;
  place: Place;
  /** Text of a token. */
  textOf: (index: number) => string;
  whitening: string;
}

export function Inspector(props: InspectorProps) {
  const { stored, place } = props;
  const [tab, setTab] = useState<string>("state");
  // Selecting a token shows its numbers.
  useEffect(() => {
    if (place.token !== null) setTab("token");
  }, [place.token]);
  const turn = stored.trajectory.turns[place.turn];
  if (!turn) return null;
  return (
    <Tabs.Root value={tab} onValueChange={setTab}>
      <Tabs.List className="segmented mb-3" aria-label="Inspector">
        {TABS.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} className="segment">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="state">
        <StateOf turn={turn} />
      </Tabs.Content>
      <Tabs.Content value="token">
        <SelectedToken {...props} />
      </Tabs.Content>
      <Tabs.Content value="raw">
        <h3 className="mb-1 text-dense font-semibold">Observation</h3>
        <pre className="mb-3 rounded bg-panel p-2 text-caption whitespace-pre-wrap">
          {turn.observation.text}
        </pre>
        <h3 className="mb-1 text-dense font-semibold">Reply</h3>
        <pre className="rounded bg-panel p-2 text-caption whitespace-pre-wrap">{turn.reply}</pre>
      </Tabs.Content>
    </Tabs.Root>
  );
}

function StateOf({ turn }: { turn: Turn }) {
  return (
    <>
      <p className="mb-2 text-dense font-semibold">Turn {turn.index + 1}</p>
      <BeliefTable turn={turn} />
      {Object.keys(turn.verdicts).length === 0 && (
        <p className="mb-3 text-dense text-muted">
          This format states no belief, so there is nothing to judge.
        </p>
      )}
      <RewardParts turn={turn} />
    </>
  );
}

function SelectedToken({ stored: { trajectory, source }, place, textOf, whitening }: InspectorProps) {
  const { token } = place;
  if (token === null)
    return (
      <p className="text-dense text-muted">
        Choose a token in the text or in the strip below; <kbd className="kbd">,</kbd> and{" "}
        <kbd className="kbd">.</kbd> go from one to the next.
      </p>
    );
  return (
    <TokenFacts
      trajectory={trajectory}
      source={source}
      index={token}
      text={textOf(token)}
      whitening={whitening}
    />
  );
}
