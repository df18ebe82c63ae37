import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { BoardTruth, WorldTruth } from "../../core/types.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import type { Ghost } from "./beliefs.ts";
import { EnvPicture, GhostLabels, GhostOutline, labelSize } from "./env-picture.tsx";

const ghost = (name: string, x: number, y: number, width = 1, height = 1): Ghost => ({
  name,
  ok: true,
  box: { x, y, width, height },
});
const world: WorldTruth = { frame: "floor", things: [] };
const board = fakeTrajectory({ id: "b", seed: 5 }).turns[0]!.before as BoardTruth;

/** Texts with their middles and baselines. */
const textsIn = (html: string) =>
  [...html.matchAll(/<text x="([^"]+)" y="([^"]+)"[^>]*>([^<]+)/g)].map(([, x, y, text]) => ({
    text,
    x: Number(x),
    y: Number(y),
  }));

it("outlines what the edge of the picture cuts to less than the inset", () => {
  const html = renderToStaticMarkup(<GhostOutline ghost={ghost("target", 7.92, 3, 0.08, 0.02)} />);
  const sides = [...html.matchAll(/ (?:width|height)="([^"]+)"/g)].map(([, size]) => Number(size));
  expect(sides).toHaveLength(4);
  for (const side of sides) expect(side).toBeGreaterThan(0);
});

it("names claims about one cell in lines of their own, within the picture", () => {
  const ghosts = [ghost("player", 0, 2), ghost("target", 0, 2)];
  const html = renderToStaticMarkup(<GhostLabels ghosts={ghosts} truth={board} size={0.3} />);
  const [player, target] = textsIn(html);
  expect([player!.text, target!.text]).toEqual(["player ✓", "target ✓"]);
  expect(player!.y - target!.y).toBeGreaterThan(0.3);
  expect(player!.x).toBeGreaterThan(0.7);
});

it("names things of a world outside their boxes, where the outline does not cross the name", () => {
  const ghosts = [ghost("plant", 4, 4), ghost("lamp", 4, 4), ghost("sofa", 2, 7.2, 1, 0.8)];
  const html = renderToStaticMarkup(<GhostLabels ghosts={ghosts} truth={world} size={0.2} />);
  const [plant, lamp, sofa] = textsIn(html);
  expect(plant!.y).toBeGreaterThan(5.1);
  expect(lamp!.y).toBeLessThan(4);
  expect(sofa!.y).toBeLessThan(7.2);
});

it("writes names in small pictures of worlds at a size that can be read", () => {
  expect((labelSize(8, 170, world) * 170) / 8).toBeGreaterThanOrEqual(10);
  expect(labelSize(8, 170)).toBe(0.3);
});

it("writes the numbers of cells over the outlines", () => {
  const html = renderToStaticMarkup(
    <EnvPicture
      envId="frozenlake"
      frame={{ width: 8, height: 8, data: new Uint8ClampedArray(4 * 8 * 8) }}
      further={[]}
      seen={[]}
      truth={board}
      title="Turn 1"
      view="debug"
      ghosts={[ghost("player", 0, 0)]}
    />,
  );
  const [first] = textsIn(html);
  expect(first!.text).toBe("0,0");
  expect(html.indexOf("<text")).toBeGreaterThan(html.lastIndexOf("<rect"));
});

it("has the choice of a turn right below the picture, before all else that is said of the level", () => {
  const truth: BoardTruth = { ...board, facts: { question: "how many" } };
  const html = renderToStaticMarkup(
    <EnvPicture
      envId="frozenlake"
      frame={{ width: 8, height: 8, data: new Uint8ClampedArray(4 * 8 * 8) }}
      further={[]}
      seen={[]}
      truth={truth}
      title="Turn 1"
      view="agent"
      turns={<ol />}
    />,
  );
  expect(html).toMatch(/<canvas.*<\/canvas><\/div><ol><\/ol>.*How many/);
});

it("says what the debug view adds to a picture", () => {
  const plane: WorldTruth = { frame: "plane", size: [64, 64], things: [] };
  const shown = (truth: WorldTruth | BoardTruth, ghosts: readonly Ghost[] = []) =>
    renderToStaticMarkup(
      <EnvPicture
        envId="frozenlake"
        frame={{ width: 8, height: 8, data: new Uint8ClampedArray(4 * 8 * 8) }}
        further={[]}
        seen={[]}
        truth={truth}
        title="A state"
        view="debug"
        ghosts={ghosts}
      />,
    );
  const outlines = "Coordinates and outlines are not visible to the agent.";
  expect(shown(board)).toContain(outlines);
  expect(shown(plane, [ghost("pad", 1, 1)])).toContain(outlines);
  expect(shown(plane)).toContain("None is claimed here.");
});
