// The keyboard shortcuts of a trace.
import { useEffect } from "react";
import { takesKeys } from "../lib/takes-keys.ts";
import type { StoredTrajectory } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { HEAT_MAPS } from "../store/view-options.ts";
import { unavailable } from "./heat-map.ts";
import { tokenAt } from "./token-element.ts";
import { neighbourToken } from "./token-facts.ts";
import type { Placing } from "./use-place.ts";

export function useTraceKeys(stored: StoredTrajectory, { place, select, goToTurn }: Placing): void {
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
