// One trajectory in depth: turns with pictures, replies by part, and every token's numbers.
import { Table2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { entryConfig } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { IconButton, Segmented, Switch } from "../components/controls.tsx";
import { useHeight } from "../components/use-size.ts";
import { LoadLine } from "../episode/env-loading.tsx";
import { cachedReplay } from "../episode/replay-frames.ts";
import { tokenEndsOf } from "../episode/token-ends.ts";
import { surfaceOf, type TurnTokens, turnTokens } from "../episode/token-model.ts";
import { TurnTimeline } from "../episode/turn-parts.tsx";
import { useOwnSteps } from "../episode/use-own-steps.ts";
import { useEnvLoaded, useLoadOf } from "../lib/use-env.ts";
import { ReadingSwitch } from "../replay/play-bar.tsx";
import { StopAtEvents } from "../replay/player-options.tsx";
import type { StoredTrajectory } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { HEAT_MAPS, type HeatMapId } from "../store/view-options.ts";
import { binClasses, HEAT_MAP_SPECS, unavailable, valuesOf } from "./heat-map.ts";
import { Inspector } from "./inspector.tsx";
import { Legend } from "./legend.tsx";
import { OptionsOfPhone } from "./options-of-phone.tsx";
import { TokenCard } from "./token-card.tsx";
import { tokenAt } from "./token-element.ts";
import { TokenStrip } from "./token-strip.tsx";
import { TokenTable } from "./token-table.tsx";
import { TraceHead, type WayBack } from "./trace-head.tsx";
import { TracePlay, type TracePlayer, useTracePlayer } from "./trace-play.tsx";
import { TurnRow } from "./turn-row.tsx";
import { type Placing, usePlace } from "./use-place.ts";
import { useTraceKeys } from "./use-trace-keys.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { whiteningText } from "./whitening.ts";

interface TraceViewProps {
  stored: StoredTrajectory;
  config: RunConfig;
  back?: WayBack;
}

export function TraceView({ stored, config, back }: TraceViewProps) {
  const { trajectory, source } = stored;
  const trace = useTrace({ stored, config });
  const player = useTracePlayer(trajectory, config, trace.tokenEnds, usePlace(trajectory));
  const { placing } = player;
  const [showGiven, setShowGiven] = useState(false);
  const { hover, handlers } = useHover();
  useTraceKeys(stored, placing);
  const { place, select } = placing;
  const { map, textOf, whitening } = trace;
  const [bar, barHeight] = useHeight<HTMLDivElement>();
  return (
    <div
      className="mx-auto flex w-full max-w-[1760px] flex-1 flex-col px-4 pb-4"
      style={{ "--bar-height": `${barHeight}px` } as React.CSSProperties}
    >
      <TraceHead stored={stored} config={config} back={back} />
      <div
        ref={bar}
        className="contents lg:stuck-top lg:sticky lg:top-0 lg:z-10 lg:-mx-4 lg:flex lg:flex-col lg:gap-2 lg:border-b lg:border-line lg:bg-surface lg:px-4 lg:py-2"
      >
        <StickyTimeline stored={stored} placing={placing} />
        <OptionsOfPhone>
          <Tools stored={stored} map={map} showGiven={showGiven} onShowGiven={setShowGiven}>
            <ReadingSwitch {...player.controls} />
            <StopAtEvents clock={player.controls.clock} dots={player.dots} />
          </Tools>
          <Legend tokens={trajectory.tokens} map={map} source={source} whitening={whitening} />
        </OptionsOfPhone>
      </div>
      <div className="grid flex-1 items-start gap-4 pt-3 lg:grid-cols-[minmax(0,1fr)_340px]">
        <TokenEvents placing={placing} handlers={handlers}>
          <Turns stored={stored} player={player} trace={trace} showGiven={showGiven} />
        </TokenEvents>
        <aside
          aria-label="Inspector"
          className="card p-3 lg:sticky lg:top-[calc(var(--bar-height)+12px)] lg:max-h-[calc(100dvh-var(--header-height)-var(--strip-height)-var(--bar-height)-130px)] lg:overflow-auto"
        >
          <Inspector stored={stored} place={place} textOf={textOf} whitening={whitening} />
        </aside>
      </div>
      <div className="stuck-bottom sticky bottom-0 z-10 -mx-4 -mb-4 mt-4 border-t border-line bg-surface px-4 py-2">
        {trajectory.turns.length > 0 && <TracePlay player={player} />}
        <TokenStrip trajectory={trajectory} map={map} selected={place.token} onSelect={select} />
      </div>
      {hover && (
        <TokenCard
          trajectory={trajectory}
          source={source}
          index={hover.index}
          text={textOf(hover.index)}
          whitening={whitening}
          anchor={hover.rect}
        />
      )}
    </div>
  );
}

/** Why there are only the pictures that the model received. */
function ModelPictures({ reason, envId }: { reason: string; envId: string }) {
  const isLoading = useLoadOf(envId).state === "loading";
  return (
    <p className={`text-dense ${isLoading ? "text-muted" : "text-warning"}`}>
      The pictures show what the model received
      {isLoading ? "." : `, because the level could not be played again: ${reason}`} <LoadLine id={envId} />
    </p>
  );
}

type Trace = ReturnType<typeof useTrace>;

/** What is shown of a trajectory under the chosen map. */
function useTrace({ stored, config }: Omit<TraceViewProps, "back">) {
  const { trajectory, source } = stored;
  useEnvLoaded(trajectory.envId);
  useOwnSteps(trajectory);
  const chosenMap = useUi((ui) => ui.heatMap);
  const map: HeatMapId = unavailable(trajectory.tokens, chosenMap, source) ? "none" : chosenMap;
  const vocabulary = useMemo(() => vocabularyOf(config), [config]);
  const envConfig = useMemo(() => entryConfig(config, trajectory.entry).env.config, [config, trajectory]);
  return {
    map,
    classes: useMemo(() => binClasses(trajectory.tokens, map), [trajectory, map]),
    tokenEnds: useMemo(
      () => (vocabulary ? tokenEndsOf(trajectory, vocabulary) : undefined),
      [trajectory, vocabulary],
    ),
    turns: useMemo(() => turnTokens(trajectory, vocabulary), [trajectory, vocabulary]),
    envConfig,
    replay: cachedReplay(trajectory, envConfig),
    textOf: (index: number) => surfaceOf(vocabulary, trajectory.tokens.ids[index]!),
    whitening: whiteningText(config),
  };
}

function StickyTimeline({ stored, placing }: { stored: StoredTrajectory; placing: Placing }) {
  const { turns } = stored.trajectory;
  return (
    <div className="-mx-4 bg-surface px-4 py-1.5 max-lg:stuck-top max-lg:sticky max-lg:top-(--sticky-top) max-lg:z-10 max-lg:border-b max-lg:border-line lg:m-0 lg:p-0">
      <TurnTimeline
        roomy={turns.length <= 6}
        turns={turns}
        current={placing.place.turn}
        onChange={placing.goToTurn}
      />
    </div>
  );
}

function Tools({
  stored,
  map,
  showGiven,
  onShowGiven,
  children,
}: {
  stored: StoredTrajectory;
  map: HeatMapId;
  showGiven: boolean;
  onShowGiven: (show: boolean) => void;
  children: React.ReactNode;
}) {
  const table = useUi((ui) => ui.traceTable);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-lg:my-2">
      {children}
      <MapSwitch stored={stored} map={map} />
      <span className="hidden flex-1 lg:inline" />
      <span className="flex items-center gap-2 text-dense">
        <Switch id="given" checked={showGiven} onChange={onShowGiven} />
        <label htmlFor="given">Given tokens</label>
      </span>
      <IconButton
        icon={Table2}
        name="Tokens as a table (T)"
        small
        pressed={table}
        onClick={() => setUi({ traceTable: !table })}
      />
    </div>
  );
}

function MapSwitch({ stored, map }: { stored: StoredTrajectory; map: HeatMapId }) {
  const choices = HEAT_MAPS.map((id) => ({
    value: id,
    label: HEAT_MAP_SPECS[id].title,
    disabledBecause: unavailable(stored.trajectory.tokens, id, stored.source),
  }));
  return (
    <Segmented
      name="Token colours"
      value={map}
      choices={choices}
      onChange={(heatMap) => setUi({ heatMap })}
    />
  );
}

/** Listens for all tokens within: there are hundreds, each a button. */
function TokenEvents({
  placing: { place, placeAt, select },
  handlers,
  children,
}: {
  placing: Placing;
  handlers: ReturnType<typeof useHover>["handlers"];
  children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tokens themselves are buttons
    // biome-ignore lint/a11y/useKeyWithClickEvents: tokens take focus, and focus selects as a click does
    <div
      className="flex min-w-0 flex-col gap-3"
      {...handlers}
      onClick={(event) => {
        const index = tokenAt(event.target);
        if (index !== null) select(index);
      }}
      onFocus={(event) => {
        const index = tokenAt(event.target);
        if (index !== null && index !== place.token) placeAt(index);
      }}
    >
      {children}
    </div>
  );
}

function Turns({
  stored: { trajectory, source },
  player,
  trace: { map, classes, turns, envConfig, replay },
  showGiven,
}: {
  stored: StoredTrajectory;
  player: TracePlayer;
  trace: Trace;
  showGiven: boolean;
}) {
  const { place, select } = player.placing;
  const { turn, token } = place;
  const { events } = player.playback;
  const isSummary = player.controls.reading === "summary";
  const eventsOf = useMemo(
    () => turns.map((_, i) => events.filter((event) => event.turn === i)),
    [turns, events],
  );
  const table = useUi((ui) => ui.traceTable);
  const picture = useUi((ui) => ui.picture);
  return (
    <>
      {replay.ok && replay.gap && <p className="text-dense text-warning">{replay.gap}</p>}
      {!replay.ok && <ModelPictures reason={replay.reason} envId={trajectory.envId} />}
      {table ? (
        <TokenTable
          trajectory={trajectory}
          source={source}
          turn={turns[turn]!}
          selected={token}
          onSelect={select}
        />
      ) : (
        turns.map((tokens, i) => (
          <TurnRow
            key={tokens.turn.index}
            envId={trajectory.envId}
            envConfig={envConfig}
            tokens={tokens}
            previous={turns[i - 1]?.turn}
            conversation={1 + closedBefore(turns, i)}
            frames={replay.ok ? (replay.turns[i] ?? null) : null}
            playback={i === turn ? player.playback : null}
            floor={replay.ok ? replay.floor : null}
            view={picture}
            classes={classes}
            mapClass={`heat ${HEAT_MAP_SPECS[map].hue} ${valuesOf(trajectory.tokens, map) ? "heat-on" : ""}`}
            selected={token !== null && token >= tokens.from && token < tokens.to ? token : null}
            current={i === turn}
            showGiven={showGiven}
            events={eventsOf[i]!}
            isSummary={isSummary}
            isLast={i === turns.length - 1}
          />
        ))
      )}
    </>
  );
}

/** Conversations that were closed before a turn. */
const closedBefore = (turns: readonly TurnTokens[], turn: number): number =>
  turns.slice(0, turn).filter(({ summary }) => summary).length;

/** The token under the pointer. Escape and scrolling close its card; a focused token is shown in the inspector. */
function useHover() {
  const [hover, setHover] = useState<{ index: number; rect: DOMRect } | null>(null);
  const show = useCallback((target: EventTarget | null) => {
    const index = tokenAt(target);
    if (index === null) return setHover(null);
    const element = (target as Element).closest("[data-tok]")!;
    setHover((now) => (now?.index === index ? now : { index, rect: element.getBoundingClientRect() }));
  }, []);
  useEffect(() => {
    if (!hover) return;
    const hide = () => setHover(null);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    window.addEventListener("scroll", hide, { passive: true });
    document.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("scroll", hide);
      document.removeEventListener("keydown", onKey);
    };
  }, [hover]);
  const handlers = useMemo(
    () => ({
      onPointerOver: (event: React.PointerEvent) => show(event.target),
      onPointerLeave: () => setHover(null),
    }),
    [show],
  );
  return { hover, handlers };
}
