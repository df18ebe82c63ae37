// An embedded player obeys the page around it and reports to it.
import { useCallback, useEffect, useRef } from "react";
import { type EmbedCommand, type EmbedReport, readCommand } from "../../replay/messages.ts";
import { momentAtTurn } from "../../replay/moment.ts";
import type { PlayerHandle, PlayerLinks, PlayerPlace } from "./player-handle.ts";

/** Connects a player to the window around it. What is no command is ignored. */
export function useEmbedMessages(): Required<PlayerLinks> {
  const handle = useRef<PlayerHandle | null>(null);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const command = source === window.parent ? readCommand(data) : null;
      if (command && handle.current) obey(handle.current, command);
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, []);
  const onReady = useCallback((ready: PlayerHandle) => {
    handle.current = ready;
  }, []);
  const onPlace = useReport();
  return { onReady, onPlace };
}

function obey({ clock, onStep, seekTo }: PlayerHandle, command: EmbedCommand): void {
  if (command.type === "vagen:play") clock.play();
  else if (command.type === "vagen:pause") clock.pause();
  else if (command.type === "vagen:step") onStep(command.unit, command.by);
  else if (command.type === "vagen:speed") clock.setSpeed(command.speed);
  else seekTo(momentAtTurn(command.turn - 1, command.token));
}

/** Reports a place where it differs from the last report, which knows nothing of tokens. */
function useReport(): (place: PlayerPlace) => void {
  const last = useRef("");
  return useCallback(({ turn, turns, playing, speed }: PlayerPlace) => {
    const message: EmbedReport = { type: "vagen:place", turn: turn + 1, turns, playing, speed };
    const key = JSON.stringify(message);
    if (key === last.current || window.parent === window) return;
    last.current = key;
    // The page around may be of any origin; that a bundled replay plays is no secret.
    window.parent.postMessage(message, "*");
  }, []);
}
