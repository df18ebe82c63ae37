// What keeps a run from starting, with a link to where it is given.
import { setUi } from "../store/ui-store.ts";

/** @param place id of the element in the form where it is given */
export function Missing({ what, place }: { what: string; place: string }) {
  return (
    <p className="text-caption text-warning" role="status">
      {what}{" "}
      <button type="button" className="underline underline-offset-2" onClick={() => show(place)}>
        Go to it
      </button>
    </p>
  );
}

function show(id: string): void {
  setUi({ trainTab: "configure" });
  requestAnimationFrame(() => {
    const place = document.getElementById(id);
    place?.scrollIntoView({ block: "center" });
    place?.querySelector<HTMLElement>("input[type=password], button")?.focus();
  });
}
