import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PlayControls, PolicyNotes } from "./policy-plays.tsx";
import type { useLevelPlay } from "./use-level-play.ts";

type Play = ReturnType<typeof useLevelPlay>;
const nothing = () => undefined;
const runOn: Play["runOn"] = { backend: "wasm", opening: false, problem: "", choose: async () => undefined };
const idle = {
  shown: null,
  name: "the policy",
  start: async () => undefined,
  stop: nothing,
  open: async () => undefined,
  choice: { policies: [], chosen: "", choose: nothing },
};

const read = (play: Partial<Play>) =>
  renderToStaticMarkup(
    <PlayControls
      play={{ ...idle, opening: null, fileProblem: "", runOn, ...play }}
      seed={3}
      onAnotherLevel={() => 4}
    />,
  );

it("shows which file is opened, and offers no other meanwhile", () => {
  const opening = new File([new Uint8Array(3 * 2 ** 20)], "large.onnx");
  const html = read({ opening });
  expect(html).toContain("Loading large.onnx (3.0 MiB) and ONNX Runtime…");
  expect(html).toMatch(/<progress aria-busy="true"/);
  expect(html.match(/<button[^>]* disabled=""/g)).toHaveLength(2);
  expect(read({})).not.toMatch(/<progress|disabled=""/);
});

it("shows that a policy is loaded before its first turn", () => {
  const shown = { turns: [], trajectory: null, problem: "" } as unknown as Play["shown"];
  expect(read({ shown })).toMatch(/Loading the policy and ONNX Runtime….*<progress/);
});

const notes = (play: Partial<Play>) =>
  renderToStaticMarkup(<PolicyNotes play={{ ...idle, opening: null, fileProblem: "", runOn, ...play }} />);

it("names the policy, and offers a choice where there are several", () => {
  const policies = [
    { id: "a", title: "The run's" },
    { id: "b", title: "A larger one" },
  ];
  expect(notes({})).toContain("The policy is the policy.");
  expect(notes({ choice: { policies, chosen: "a", choose: nothing } })).toMatch(
    /<label for="([^"]+)">Policy<\/label><select id="\1".*<option value="a" selected="">The run&#x27;s<\/option><option value="b">A larger one/,
  );
  expect(notes({ name: null })).toContain("Open one as ONNX");
});
