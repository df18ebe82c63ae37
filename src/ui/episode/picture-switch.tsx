// Agent view or debug view, for every picture of the page.
import { Segmented } from "../components/controls.tsx";
import { setUi, useUi } from "../store/ui-store.ts";

export function PictureSwitch() {
  const picture = useUi((ui) => ui.picture);
  return (
    <Segmented
      name="What the picture shows"
      value={picture}
      choices={[
        { value: "agent", label: "Agent view" },
        { value: "debug", label: "Debug view" },
      ]}
      onChange={(value) => setUi({ picture: value })}
      className="self-start"
    />
  );
}
