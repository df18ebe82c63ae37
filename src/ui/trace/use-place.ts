// The current place in a trace.
import { useCallback, useEffect, useMemo, useState } from "react";
import { type SetURLSearchParams, useLocation, useSearchParams } from "react-router";
import type { Trajectory } from "../../core/types.ts";
import { boundPlace, type Place, readPlace } from "./place.ts";
import { focusToken, showTurn } from "./token-element.ts";

const ADDRESS_DELAY_MS = 250;

export interface Placing {
  place: Place;
  /** Makes a token that has the focus the current one. */
  placeAt: (token: number) => void;
  /** Does the same, and moves the focus there. */
  select: (token: number) => void;
  goToTurn: (turn: number) => void;
  /** Stays in the turn, without a current token. */
  leaveToken: () => void;
}

/**
 * The current turn and token, mirrored in the address so that a link leads back to them. The state is not in the address
 * itself, because keys repeat faster than addresses may change.
 */
export function usePlace(trajectory: Trajectory): Placing {
  const [params, setParams] = useSearchParams();
  const [wanted, setPlace] = useState<Place>(() => readPlace(params));
  const place = useMemo(() => boundPlace(wanted, trajectory), [wanted, trajectory]);
  // Where the link of this visit leads.
  const [linked] = useState(place);
  useEffect(() => {
    if (linked.token !== null) focusToken(linked.token);
    else if (linked.turn > 0) showTurn(linked.turn, "instant");
  }, [linked]);
  useAddressOf(place, setParams);
  const placeAt = useCallback(
    (token: number) => setPlace({ turn: trajectory.tokens.turnIndex[token] ?? 0, token }),
    [trajectory],
  );
  const select = useCallback(
    (token: number) => {
      placeAt(token);
      focusToken(token);
    },
    [placeAt],
  );
  const goToTurn = useCallback((turn: number) => {
    setPlace({ turn, token: null });
    showTurn(turn, "smooth");
  }, []);
  const leaveToken = useCallback(() => setPlace(({ turn }) => ({ turn, token: null })), []);
  return { place, placeAt, select, goToTurn, leaveToken };
}

function useAddressOf(place: Place, setParams: SetURLSearchParams): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const { turn, token } = place;
    const query = { turn: String(turn + 1), ...(token === null ? {} : { tok: String(token) }) };
    // While the next room loads, this view is still mounted and must not take the address back.
    const isOpen = () => window.location.hash.slice(1).split("?")[0] === pathname;
    const timer = setTimeout(
      () => isOpen() && setParams(query, { replace: true, preventScrollReset: true }),
      ADDRESS_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [place, pathname, setParams]);
}
