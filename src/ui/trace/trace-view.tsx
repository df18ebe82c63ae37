// One trajectory in depth: turns with pictures, replies by part, and every token's numbers.
import * as Tabs from "@radix-ui/react-tabs";
import { ArrowLeft, Link2, Table2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { RunConfig } from "../../config/run-config.ts";
import { sequenceSpans } from "../../core/token-sequences.ts";
import type { Trajectory } from "../../core/types.ts";
import { envs } from "../../envs/index.ts";
import { Chip, IconButton, Segmented, Switch } from "../components/controls.tsx";
import { PictureSwitch } from "../episode/live-episode.tsx";
import { isOneTurn, oneTurnText, outcomeOfStored, PROVENANCE, returnOf } from "../episode/outcome.ts";
import { cachedReplay } from "../episode/replay-frames.ts";
import { surfaceOf, turnTokens } from "../episode/token-model.ts";
import { RewardParts, TurnTimeline } from "../episode/turn-parts.tsx";
import { BeliefTable } from "../episode/verdict.tsx";
import { counted, formatSigned } from "../lib/format.ts";
import { takesKeys } from "../lib/takes-keys.ts";
import type { StoredTrajectory } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { HEAT_MAPS, type HeatMapId } from "../store/view-options.ts";
import { binClasses, HEAT_MAP_SPECS, unavailable, valuesOf } from "./heat-map.ts";
import { Legend } from "./legend.tsx";
import { boundPlace, type Place, readPlace } from "./place.ts";
import { TokenCard, TokenFacts } from "./token-card.tsx";
import { neighbourToken } from "./token-facts.ts";
import { TokenStrip } from "./token-strip.tsx";
import { TokenTable } from "./token-table.tsx";
import { TurnRow } from "./turn-row.tsx";
import { vocabularyOf } from "./vocabulary.ts";
import { whiteningText } from "./whitening.ts";

interface TraceViewProps {
  stored: StoredTrajectory;
  runId: string;
  config: RunConfig;
}

export function TraceView({ stored, runId, config }: TraceViewProps) {
  const { trajectory, source } = stored;
  const { place, setPlace } = usePlace(trajectory);
  const { turn, token } = place;
  const chosenMap = useUi((ui) => ui.heatMap);
  const map = unavailable(trajectory.tokens, chosenMap, source) ? "none" : chosenMap;
  const table = useUi((ui) => ui.traceTable);
  const picture = useUi((ui) => ui.picture);
  const [showGiven, setShowGiven] = useState(false);
  const whitening = whiteningText(config);
  const vocabulary = useMemo(() => vocabularyOf(config), [config]);
  const turns = useMemo(() => turnTokens(trajectory, vocabulary), [trajectory, vocabulary]);
  const classes = useMemo(() => binClasses(trajectory.tokens, map), [trajectory, map]);
  const replay = cachedReplay(`${runId}/${stored.key}`, trajectory, config.env.config);
  const textOf = (index: number) => surfaceOf(vocabulary, trajectory.tokens.ids[index]!);
  const select = useCallback(
    (index: number) => {
      setPlace({ turn: trajectory.tokens.turnIndex[index] ?? 0, token: index });
      focusToken(index);
    },
    [setPlace, trajectory],
  );
  const goToTurn = useCallback(
    (index: number) => {
      setPlace({ turn: index, token: null });
      showTurn(index, "smooth");
    },
    [setPlace],
  );
  useTraceKeys({ stored, place, select, goToTurn });
  const { hover, handlers } = useHover();
  return (
    <div className="mx-auto flex w-full max-w-[1760px] flex-1 flex-col px-4 pb-4">
      <TraceHead stored={stored} config={config} />
      <div className="contents lg:sticky lg:top-0 lg:z-10 lg:-mx-4 lg:flex lg:flex-col lg:gap-2 lg:border-b lg:border-line lg:bg-surface lg:px-4 lg:py-2">
        <div className="-mx-4 bg-surface px-4 py-1.5 max-lg:sticky max-lg:top-(--sticky-top) max-lg:z-10 max-lg:border-b max-lg:border-line lg:m-0 lg:p-0">
          <TurnTimeline
            roomy={trajectory.turns.length <= 6}
            turns={trajectory.turns}
            current={turn}
            onChange={goToTurn}
          />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-lg:my-2">
          <MapSwitch stored={stored} map={map} />
          <span className="hidden flex-1 lg:inline" />
          <span className="flex items-center gap-2 text-dense">
            <Switch id="given" checked={showGiven} onChange={setShowGiven} />
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
        <Legend tokens={trajectory.tokens} map={map} source={source} whitening={whitening} />
      </div>
      <div className="grid flex-1 items-start gap-4 pt-3 lg:grid-cols-[minmax(0,1fr)_340px]">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for hundreds of tokens, each a button */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: tokens take focus, and focus selects as a click does */}
        <div
          className="flex min-w-0 flex-col gap-3"
          {...handlers}
          onClick={(event) => {
            const index = tokenAt(event.target);
            if (index !== null) select(index);
          }}
          onFocus={(event) => {
            const index = tokenAt(event.target);
            if (index !== null && index !== token)
              setPlace({ turn: trajectory.tokens.turnIndex[index] ?? 0, token: index });
          }}
        >
          {!replay.ok && (
            <p className="text-dense text-warning">
              The pictures show what the model received, because the level could not be played again:{" "}
              {replay.reason}
            </p>
          )}
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
                tokens={tokens}
                frames={replay.ok ? (replay.turns[i] ?? null) : null}
                view={picture}
                classes={classes}
                mapClass={`heat ${HEAT_MAP_SPECS[map].hue} ${valuesOf(trajectory.tokens, map) ? "heat-on" : ""}`}
                selected={token !== null && token >= tokens.from && token < tokens.to ? token : null}
                current={i === turn}
                showGiven={showGiven}
              />
            ))
          )}
        </div>
        <aside
          aria-label="Inspector"
          className="card p-3 lg:sticky lg:top-36 lg:max-h-[calc(100dvh-var(--header-height)-var(--strip-height)-210px)] lg:overflow-auto"
        >
          <Inspector
            stored={stored}
            turn={turn}
            token={token}
            tokenText={token === null ? "" : textOf(token)}
            whitening={whitening}
          />
        </aside>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 -mb-4 mt-4 border-t border-line bg-surface px-4 py-2">
        <TokenStrip trajectory={trajectory} classes={classes} map={map} selected={token} onSelect={select} />
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

function TraceHead({ stored, config }: { stored: StoredTrajectory; config: RunConfig }) {
  const { trajectory, update, source } = stored;
  const outcome = outcomeOfStored(stored, config);
  const title = envs.all.find((spec) => spec.id === trajectory.envId)?.title ?? trajectory.envId;
  const [copied, setCopied] = useState(false);
  const sequences = sequenceSpans(trajectory).length;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 py-3">
      <Link
        to="/trace"
        className="btn btn-quiet btn-icon btn-small"
        aria-label="All traces"
        title="All traces"
      >
        <ArrowLeft size={16} aria-hidden />
      </Link>
      <h1 className="text-h2 font-semibold">
        {title}, level {trajectory.seed}
      </h1>
      <Chip tone={outcome.tone}>
        <span aria-hidden>{outcome.mark}</span> {outcome.word}
      </Chip>
      <Chip title={PROVENANCE[source].about}>{PROVENANCE[source].word}</Chip>
      <span className="nums text-dense text-muted">
        update {update} · return {formatSigned(returnOf(trajectory))} ·{" "}
        {counted(trajectory.tokens.ids.length, "token")}
        {sequences > 1 && ` in ${sequences} sequences`}
      </span>
      <span className="flex-1" />
      <PictureSwitch />
      <IconButton
        icon={Link2}
        name={copied ? "Copied" : "Copy the link to this moment"}
        small
        onClick={() => navigator.clipboard.writeText(location.href).then(() => setCopied(true))}
      />
      {source === "demonstration" && (
        <p className="w-full max-w-[90ch] text-dense text-muted">
          {PROVENANCE.demonstration.about} {isOneTurn(stored, config) && oneTurnText(config)}
        </p>
      )}
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

const TABS = [
  { value: "state", label: "State" },
  { value: "token", label: "Token" },
  { value: "raw", label: "Raw" },
] as const;

function Inspector({
  stored,
  turn: index,
  token,
  tokenText,
  whitening,
}: {
  stored: StoredTrajectory;
  turn: number;
  token: number | null;
  tokenText: string;
  whitening: string;
}) {
  const [tab, setTab] = useState<string>("state");
  // Choosing a token is asking for its numbers.
  useEffect(() => {
    if (token !== null) setTab("token");
  }, [token]);
  const turn = stored.trajectory.turns[index];
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
        <p className="mb-2 text-dense font-semibold">Turn {index + 1}</p>
        <BeliefTable turn={turn} />
        {Object.keys(turn.verdicts).length === 0 && (
          <p className="mb-3 text-dense text-muted">
            This format states no belief, so there is nothing to judge.
          </p>
        )}
        <RewardParts turn={turn} />
      </Tabs.Content>
      <Tabs.Content value="token">
        {token === null ? (
          <p className="text-dense text-muted">
            Choose a token in the text or in the strip below; <kbd className="kbd">,</kbd> and{" "}
            <kbd className="kbd">.</kbd> go from one to the next.
          </p>
        ) : (
          <TokenFacts
            trajectory={stored.trajectory}
            source={stored.source}
            index={token}
            text={tokenText}
            whitening={whitening}
          />
        )}
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

const ADDRESS_DELAY_MS = 250;

/**
 * Turn and token on screen, mirrored in the address so that a link leads back to this very moment. The state is here
 * and not in the address, because keys come faster than addresses change.
 */
function usePlace(trajectory: Trajectory) {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const [asked, setPlace] = useState<Place>(() => readPlace(params));
  const place = useMemo(() => boundPlace(asked, trajectory), [asked, trajectory]);
  // Where the link leads, before anything was chosen on the page.
  const [linked] = useState(place);
  useEffect(() => {
    if (linked.token !== null) focusToken(linked.token);
    else if (linked.turn > 0) showTurn(linked.turn, "instant");
  }, [linked]);
  useEffect(() => {
    const { turn, token } = place;
    const wanted = { turn: String(turn + 1), ...(token === null ? {} : { tok: String(token) }) };
    // While the next room is being prepared, this view is still mounted and must not take the address back.
    const isOpen = () => window.location.hash.slice(1).split("?")[0] === pathname;
    const timer = setTimeout(
      () => isOpen() && setParams(wanted, { replace: true, preventScrollReset: true }),
      ADDRESS_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [place, pathname, setParams]);
  return { place, setPlace };
}

/** The token under the pointer; Escape and scrolling put its card away. A focused token is shown in the inspector. */
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

function showTurn(index: number, behavior: ScrollBehavior): void {
  document.getElementById(`turn-${index}`)?.scrollIntoView({ block: "start", behavior });
}

function focusToken(index: number): void {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(`[data-tok="${index}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  });
}

function useTraceKeys({
  stored,
  place,
  select,
  goToTurn,
}: {
  stored: StoredTrajectory;
  place: Place;
  select: (index: number) => void;
  goToTurn: (index: number) => void;
}): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target))
        return;
      const { shortcuts, traceTable, picture } = useUi.getState();
      const { trajectory, source } = stored;
      const onToken = tokenAt(event.target) !== null;
      const { turn, token } = place;
      const step = (by: 1 | -1) => select(neighbourToken(trajectory, token, by));
      const map = HEAT_MAPS[Number(event.key) - 1];
      if (onToken && event.key === "ArrowRight") step(1);
      else if (onToken && event.key === "ArrowLeft") step(-1);
      else if (!shortcuts) return;
      else if (map && !unavailable(trajectory.tokens, map, source)) setUi({ heatMap: map });
      else if (event.key === ".") step(1);
      else if (event.key === ",") step(-1);
      else if (event.key === "]") goToTurn(Math.min(trajectory.turns.length - 1, turn + 1));
      else if (event.key === "[") goToTurn(Math.max(0, turn - 1));
      else if (event.key === "t") setUi({ traceTable: !traceTable });
      else if (event.key === "d") setUi({ picture: picture === "agent" ? "debug" : "agent" });
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [stored, place, select, goToTurn]);
}

function tokenAt(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-tok]") : null;
  return element ? Number(element.dataset.tok) : null;
}
