// What every player has around its pictures: keys, scrubber, buttons and options.
import { useRef } from "react";
import { CopyButton } from "../components/copy-button.tsx";
import { NarrowWithin, useNarrow } from "./narrow.tsx";
import { PLAYERS, usePageKeys } from "./page-keys.ts";
import { type Controls, PlayBar, PlayButton } from "./play-bar.tsx";
import { onPageKey, onPlayerKey } from "./player-keys.ts";
import { Option, StopAtEvents } from "./player-options.tsx";
import { type Dot, Scrubber } from "./scrubber.tsx";

interface FrameProps {
  title: string;
  controls: Controls;
  durationMs: number;
  /** Starts of the turns, in ms. */
  turns: readonly number[];
  dots: readonly Dot[];
  /** A time in words. */
  describe: (ms: number) => string;
  compact: boolean;
  beliefs: boolean;
  /** Absent where there are no beliefs to be shown. */
  onBeliefs?: ((show: boolean) => void) | undefined;
  /** The address of the moment, to be copied; absent where there is none. */
  address?: (() => string) | undefined;
  /** Further buttons. */
  tools?: React.ReactNode;
  children: React.ReactNode;
  /** The frame, which has the player's keys while it has the focus. */
  frame?: React.RefObject<HTMLDivElement | null>;
}

export function PlayerFrame(props: FrameProps) {
  const { title, controls, compact, children } = props;
  const own = useRef<HTMLDivElement>(null);
  const frame = props.frame ?? own;
  usePageKeys(frame, PLAYERS, compact ? null : (event) => onPageKey(event, controls, frame.current));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a player is no fieldset
    <div
      ref={frame}
      role="group"
      aria-label={`Replay: ${title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus here is what gives the player its keys
      tabIndex={0}
      className="group/player @container card flex flex-col gap-3 p-3 @xl:p-4"
      data-testid="replay-player"
      data-page-keys={!compact || undefined}
      onKeyDown={(event) => onPlayerKey(event, controls)}
    >
      <NarrowWithin>
        {children}
        <Timeline {...props} />
        {!compact && <Options {...props} />}
      </NarrowWithin>
    </div>
  );
}

/** Within reach while what is above is taller than the window; on a phone, as low as it can be. */
const DOCKED =
  "sticky bottom-0 z-10 -mx-3 border-t border-line bg-surface px-3 pt-1 pb-2 @max-xl:group-has-data-own-keys/player:static";

/** The scrubber and the buttons. */
function Timeline({ controls, durationMs, turns, dots, describe, compact }: FrameProps) {
  const narrow = useNarrow();
  const scrubber = <Scrubber clock={controls.clock} {...{ durationMs, turns, dots, describe }} />;
  if (narrow && !compact)
    return (
      <>
        <div className={`${DOCKED} flex items-center gap-1`} data-docked="low">
          <PlayButton clock={controls.clock} />
          <div className="min-w-0 flex-1">{scrubber}</div>
        </div>
        <PlayBar controls={controls} compact={compact} hasPlay={false} />
      </>
    );
  return (
    <div className={compact ? "" : DOCKED} data-docked={!compact || undefined}>
      {scrubber}
      <div className="mt-2">
        <PlayBar controls={controls} compact={compact} />
      </div>
    </div>
  );
}

function Options({ controls, dots, beliefs, onBeliefs, address, tools }: FrameProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {onBeliefs && <Option label="Beliefs" checked={beliefs} onChange={onBeliefs} />}
      <StopAtEvents clock={controls.clock} dots={dots} />
      {address && (
        <CopyButton small text={address}>
          Copy link
        </CopyButton>
      )}
      {tools}
    </div>
  );
}
