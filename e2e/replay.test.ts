// Case studies: watched by keyboard, played on from, compared, linked to and embedded.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lostTurn } from "../src/envs/lost.ts";
import { caseStudies } from "../src/replay/case-studies.ts";
import { decodeReplay } from "../src/replay/codec.ts";
import { describeDifference, firstDifference } from "../src/replay/difference.ts";
import type { Replay } from "../src/replay/replay.ts";
import { axe, OF_COLOURS } from "./lib/axe.ts";
import { watchPage } from "./lib/browser.ts";
import { settledColours } from "./lib/canvases.ts";
import { groundOf } from "./lib/ground.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();
const replayOf = (id: string): Replay =>
  decodeReplay(JSON.parse(readFileSync(join(import.meta.dirname, `../public/replays/${id}.json`), "utf8")));
const lostIn = ({ trajectory, config }: Replay) =>
  lostTurn(trajectory, config.env.config, { maxTurns: config.rollout.max_turns });

/** A pair whose first replay is lost and whose second is not. */
const study = caseStudies.find(
  ({ replays }) => replays.length === 2 && lostIn(replayOf(replays[0]!.id)) !== null,
)!;
const [early, trained] = study.replays.map(({ id }) => replayOf(id)) as [Replay, Replay];

const player = (page: Page) => page.getByTestId("replay-player");
const scrubber = (page: Page) => page.getByTestId("scrubber");
const place = (page: Page) => scrubber(page).getAttribute("aria-valuetext");

// One visitor for the tests that change nothing that a page remembers: loading a page takes much longer than another replay.
const shared = sharedPage(open);

/** How the shared page is looked at. */
interface Look {
  readonly width?: number;
  readonly reducedMotion?: "reduce" | "no-preference";
}

/** The shared page at `address`. */
async function lookAt(address: string, { width = 1440, reducedMotion = "reduce" }: Look = {}): Promise<Page> {
  await shared.page.setViewportSize({ width, height: 900 });
  await shared.page.emulateMedia({ reducedMotion });
  const { page } = shared;
  // From another room, because a link to the case study that is open leads nowhere new.
  await page.goto(`${open.server.url}#/nowhere`);
  await page.getByText("There is no such page").waitFor();
  await page.goto(`${open.server.url}${address}`);
  return page;
}

describe("a case study", () => {
  // First, because a replay is loaded once.
  it("says which file is missing, and loads it when asked again", async () => {
    const { page } = shared;
    const { id } = study.replays[0]!;
    await page.route(`**/replays/${id}.json`, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${open.server.url}#/replay/${study.id}`);
    await page.getByText(`replays/${id}.json could not be loaded: the server answered 404.`).waitFor();
    await page.unroute(`**/replays/${id}.json`);
    await page.getByRole("button", { name: "Try again" }).click();
    await player(page).waitFor();
  });

  it("plays by itself, and is watched to its end by keyboard", async () => {
    const page = await lookAt(`#/replay/${study.id}?show=1`, { reducedMotion: "no-preference" });
    const watch = watchPage(page, open.server.url);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await player(page).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.keyboard.press("Home");
    const { turns } = early.trajectory;
    await expect.poll(() => place(page)).toBe(`turn 1 of ${turns.length}, the picture`);
    const seen = new Set<string>();
    for (let i = 0; i < 200 && (await scrubber(page).getAttribute("aria-valuenow")) !== "100"; i++) {
      await page.keyboard.press("ArrowRight");
      seen.add((await place(page)) ?? "");
    }
    for (const [i, { executed }] of turns.entries()) {
      expect([...seen]).toContain(`turn ${i + 1} of ${turns.length}, verdict`);
      for (const { name } of executed)
        expect([...seen]).toContain(`turn ${i + 1} of ${turns.length}, action ${name}`);
    }
    await page
      .getByTestId(`replay-turn-${lostIn(early)}`)
      .getByText("Lost here.")
      .waitFor();
    await page.keyboard.press("[");
    await expect.poll(() => place(page)).toBe(`turn ${turns.length} of ${turns.length}, the picture`);
    expect(watch.problems()).toEqual([]);
  });

  it("follows its clock with picture and words, and stops at events if asked", async () => {
    const page = await lookAt(`#/replay/${study.id}?show=1&turn=1&speed=4`, {
      reducedMotion: "no-preference",
    });
    await page.getByRole("switch", { name: "Stop at events" }).check();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const first = await page.getByLabel("Events").getByRole("button").first().getAttribute("data-event");
    expect(first).toBeTruthy();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    expect(await scrubber(page).getAttribute("aria-valuenow")).not.toBe("100");
  });
});

describe("lost here", () => {
  const failures = caseStudies
    .flatMap((known) => known.replays.map((_, i) => ({ known, i })))
    .filter(({ known, i }) => lostIn(replayOf(known.replays[i]!.id)) !== null)
    .slice(0, 10);

  it.each(failures)("is where the solver says in $known.id, replay $i", async ({ known, i }) => {
    const lost = lostIn(replayOf(known.replays[i]!.id))!;
    const page = await lookAt(`#/replay/${known.id}?show=${i + 1}&turn=1`);
    const dot = page.getByRole("button", { name: /^Lost here/ });
    await dot.click();
    await expect.poll(() => place(page)).toContain(`turn ${lost + 1} of`);
    await page.getByTestId(`replay-turn-${lost}`).getByText("Lost here.").waitFor();
  });

  it("can be played on from, with undo", async () => {
    const lost = lostIn(early)!;
    const page = await lookAt(`#/replay/${study.id}?show=1&turn=${lost + 1}`);
    await page.getByRole("button", { name: /^Take over/ }).click();
    const result = page.getByTestId("own-result");
    await page.getByTestId("play-on").getByText("You play", { exact: true }).waitFor();
    await page.getByText(/from the start of turn \d, before the move that lost the game/).waitFor();
    const [move] = early.trajectory.turns[lost]!.executed;
    const picture = page.getByTestId("play-on").getByRole("img");
    const before = await picture.getAttribute("aria-label");
    // The keys of the board and the buttons do the same.
    await page.keyboard.press(`Arrow${move!.name}`);
    await result.getByText(/game is over after 1 action|1 action so far/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await result.getByText("No action yet.").waitFor();
    await expect.poll(() => picture.getAttribute("aria-label")).toBe(before);
    await page.getByRole("button", { name: move!.name, exact: true }).click();
    await result.getByText(/1 action/).waitFor();
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByRole("button", { name: "Back to the replay" }).click();
    await page.getByTestId(`replay-turn-${lost}`).waitFor();
  });
});

it("shows the numbers of tokens on request, and goes to the token that is clicked", async () => {
  const page = await lookAt(`#/replay/${study.id}?show=1&turn=1`);
  await page.getByText("Value", { exact: true }).click();
  const strip = page.getByLabel(/^All tokens of the trajectory/);
  await strip.waitFor();
  await strip.click({
    position: { x: 5 + (await strip.evaluate((canvas) => canvas.clientWidth)) * 0.9, y: 10 },
  });
  await expect.poll(() => place(page)).toContain(`turn ${early.trajectory.turns.length} of`);
});

describe("two replays in step", () => {
  it("jump to their first difference, which a sentence names", async () => {
    const difference = firstDifference(early.trajectory, trained.trajectory)!;
    const { turn, what, words } = difference;
    expect(what).toBe("words");
    const page = await lookAt(`#/replay/${study.id}?turn=1`);
    await page.getByRole("button", { name: `First difference: turn ${turn + 1}, the words` }).click();
    for (const [i, { label }] of study.replays.entries()) {
      await expect.poll(() => place(page)).toContain(`${label}: turn ${turn + 1} of`);
      expect(await place(page)).not.toContain("action");
      // Both have come to the word, and no further.
      const written = () =>
        page.getByRole("group", { name: label, exact: true }).getByTestId(`replay-turn-${turn}`).innerText();
      await expect.poll(written).toMatch(new RegExp(`\\b${words![i]!.text},?\\s*$`));
    }
    const sentence = describeDifference(difference, [study.replays[0]!.label, study.replays[1]!.label]);
    await expect.poll(() => page.getByTestId("difference").innerText()).toBe(sentence);
    await page.getByRole("button", { name: "Next turn (])" }).click();
    await expect.poll(() => place(page)).toContain(`turn ${turn + 2} of`);
  });

  it("keep their place when one side is watched alone, and when both are watched again", async () => {
    const { turn } = firstDifference(early.trajectory, trained.trajectory)!;
    const page = await lookAt(`#/replay/${study.id}?turn=1`);
    await page.getByRole("button", { name: /^First difference/ }).click();
    await expect.poll(() => place(page)).toContain(`: turn ${turn + 1} of`);
    const both = await place(page);
    const [one, other] = study.replays.map(({ label }) => label) as [string, string];
    for (const label of [one, other]) {
      await page.getByRole("radio", { name: label, exact: true }).check({ force: true });
      await expect.poll(() => place(page)).toContain(`turn ${turn + 1} of`);
      expect(both).toContain(`${label}: ${await place(page)}`);
    }
    await page.getByRole("radio", { name: "Both", exact: true }).check({ force: true });
    await expect.poll(() => place(page)).toBe(both);
  });

  it("are played on from on either side, while the other side stays", async () => {
    const page = await lookAt(`#/replay/${study.id}?turn=2`);
    const side = (i: number) => page.getByRole("group", { name: study.replays[i]!.label, exact: true });
    for (const i of [0, 1])
      await side(i)
        .getByRole("button", { name: /retry from turn 2/ })
        .waitFor();
    await side(1)
      .getByRole("button", { name: /^Take over/ })
      .click();
    await page.getByTestId("play-on").getByText("from the start of turn 2").waitFor();
    await side(0).waitFor();
    await page.getByRole("button", { name: "Back to the replay" }).click();
    await side(1).waitFor();
  });

  it("have their buttons on the first screen", async () => {
    for (const width of [390, 1440]) {
      const page = await lookAt(`#/replay/${study.id}?turn=2`, { width });
      const play = page.getByRole("button", { name: "Play", exact: true });
      const bottom = async () => {
        const { y, height } = (await play.boundingBox())!;
        return y + height;
      };
      await expect.poll(bottom).toBeLessThanOrEqual(900);
    }
  });

  it.each([1440, 390])("have nothing that is in use behind the timeline, %d px wide", async (width) => {
    // Its pictures and maps are taller than the window.
    const page = await lookAt("#/replay/out-of-view?turn=3", { width });
    const side = page.getByRole("group", { name: "Early policy", exact: true });
    const docked = page.locator("[data-docked]");
    const topOf = async () => (await docked.boundingBox())!.y;
    const bottomOf = async (one: Locator) => {
      const { y, height } = (await one.boundingBox())!;
      return y + height;
    };
    await side.getByRole("button", { name: /retry from turn 3/ }).waitFor();
    if (width === 1440) {
      expect(await bottomOf(side.getByRole("button", { name: /^Take over/ }))).toBeLessThan(await topOf());
      expect(await bottomOf(side.getByLabel(/^What the agent says/))).toBeLessThan(await topOf());
    } else expect((await docked.boundingBox())!.height).toBeLessThan(100);
    // What gets the focus is scrolled into what the timeline leaves.
    for (const button of await side.getByRole("button").all()) {
      await button.evaluate((element: HTMLElement) => {
        scrollTo(0, 0);
        element.focus();
      });
      await expect.poll(async () => (await bottomOf(button)) - (await topOf())).toBeLessThanOrEqual(0);
    }
  });

  it.each([1440, 600, 390])(
    "name the replay of every control, in the order on screen, %d px wide",
    async (width) => {
      const page = await lookAt(`#/replay/${study.id}?turn=2&read=log`, { width });
      await page
        .getByRole("button", { name: /retry from turn 2/ })
        .first()
        .waitFor();
      const found = await player(page).evaluate((frame) =>
        [...frame.querySelectorAll("button, select, [tabindex='0']")]
          .filter((element) => element.checkVisibility())
          .map((element) => ({
            name: element.getAttribute("aria-label") ?? element.textContent,
            top: element.getBoundingClientRect().top,
            inWords: element.closest("[aria-label^='What the agent says']") !== null,
          })),
      );
      const names = found.map(({ name }) => name);
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
      if (width > 390) return;
      // On a phone everything is in one column: words, then what may be done from here.
      const takeOver = found.find(({ name }) => name?.startsWith("Take over"))!;
      const words = found.filter(({ inWords }) => inWords);
      expect(words.length).toBeGreaterThan(0);
      for (const one of words) {
        expect(one.top).toBeLessThan(takeOver.top);
        expect(found.indexOf(one)).toBeLessThan(found.indexOf(takeOver));
      }
    },
  );

  it("have their keys while nothing has the focus, and leave them to a game that is played", async () => {
    const page = await lookAt(`#/replay/${study.id}?turn=2&read=log`);
    const title = page.getByRole("heading", { level: 1 });
    await player(page).waitFor();
    const before = await place(page);
    await title.click();
    await page.keyboard.press("]");
    await expect.poll(() => place(page)).not.toBe(before);
    await page.keyboard.press("[");
    await expect.poll(() => place(page)).toBe(before);
    await page
      .getByRole("button", { name: /^Take over/ })
      .first()
      .click();
    await page.getByTestId("play-on").waitFor();
    await title.click();
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => page.getByTestId("own-result").textContent())
      .toMatch(/^1 action so far|after 1 action|in 1 action/);
    expect(await place(page)).toBe(before);
  });

  it("show the words of one at a time on a phone, whose picture is marked", async () => {
    const page = await lookAt(`#/replay/${study.id}?turn=2&read=log`, { width: 390 });
    const words = (i: number) => page.getByLabel(`What the agent says: ${study.replays[i]!.label}`);
    const takeOver = page.getByRole("button", { name: /^Take over/ });
    await words(0).waitFor();
    expect([await words(1).isVisible(), await takeOver.count()]).toEqual([false, 1]);
    const retry = (await page.getByRole("button", { name: /^Let the policy retry/ }).boundingBox())!;
    const caption = (await page.getByText(/^Outlines mark where the agent says/).boundingBox())!;
    // One gap: a board has no further pictures between them.
    expect(caption.y - retry.y - retry.height).toBeLessThan(14);
    const switched = page.getByRole("group", { name: "Words of" });
    await switched.getByText(study.replays[1]!.label).click();
    await words(1).waitFor();
    expect([await words(0).isVisible(), await takeOver.count()]).toEqual([false, 1]);
    await takeOver.click();
    await page.getByTestId("play-on").getByText("from the start of turn 2").waitFor();
    // The other side keeps its words beside the game.
    expect([await words(0).isVisible(), await switched.isVisible()]).toEqual([true, false]);
    await page.getByRole("button", { name: "Back to the replay" }).click();
    await words(1).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await words(0).waitFor();
    expect([await words(1).isVisible(), await switched.isVisible()]).toEqual([true, false]);
  });

  it("open again at the moment of a copied link", async () => {
    const page = await lookAt(`#/replay/${study.id}?turn=1&speed=2`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await player(page).focus();
    const begin = await place(page);
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied").waitFor();
    // Only now: before, the page may have shown fewer than the four steps.
    const before = await place(page);
    expect(before).not.toBe(begin);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/\?turn=\d+.*read=stream&speed=2/);
    // By a visitor who has seen none of the studio.
    const other = await (await open.visitor()).newPage();
    await other.goto(link);
    await expect.poll(() => place(other)).toBe(before);
    await expect.poll(() => other.getByLabel("Speed").inputValue()).toBe("2");
    await other.getByRole("button", { name: "Play", exact: true }).waitFor();
  });
});

describe("a replay as a trace, token by token", () => {
  it("plays, and stops for its reader", async () => {
    const page = await lookAt(`#/replay/${study.id}/trace/1`);
    const current = page.locator('[data-tok][aria-current="true"]');
    await page.locator("[data-tok]").first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const token = () => current.first().getAttribute("data-tok");
    const first = Number(await token());
    await expect.poll(async () => Number(await token())).toBeGreaterThan(first);
    await page.getByTestId(`tok-${first}`).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await expect.poll(async () => Number(await token())).toBe(first);
    expect(await place(page)).toContain("turn 1 of");
    // What is read stays where it is when a choice is made in the bar that sticks.
    const read = page.locator("[data-tok]").nth(30);
    const top = async () => (await read.boundingBox())!.y;
    await page.locator("#main").evaluate((main) => main.scrollTo({ top: 100, behavior: "instant" }));
    const before = await top();
    const choice = (await page.getByText("Value", { exact: true }).first().boundingBox())!;
    await page.mouse.click(choice.x + choice.width / 2, choice.y + choice.height / 2);
    await page.getByRole("radio", { name: "Value", exact: true }).and(page.locator(":checked")).waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(4);
    // While nothing has the focus, the player has the keys.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const there = await place(page);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => place(page)).not.toBe(there);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => place(page)).toBe(there);
    // On a phone, what a step leads to is not left below the player.
    await page.setViewportSize({ width: 390, height: 844 });
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    const bar = page.getByRole("group", { name: "Player" });
    const gap = async () => (await bar.boundingBox())!.y - (await current.first().boundingBox())!.y;
    await expect.poll(gap).toBeGreaterThan(20);
    await page.getByRole("link", { name: "The case study" }).click();
    await player(page).waitFor();
  });

  it("says where the game was lost, stops there, and shows less in a summary", async () => {
    const lost = lostIn(early)!;
    const page = await lookAt(`#/replay/${study.id}/trace/1?turn=${lost + 1}`);
    const row = page.getByRole("article", { name: `Turn ${lost + 1}`, exact: true });
    await row.getByText("Lost here.").waitFor();
    await page.getByRole("button", { name: /^Lost here/ }).click();
    await expect.poll(() => place(page)).toContain(`turn ${lost + 1} of`);
    await expect.poll(() => row.getAttribute("class")).toContain("border-accent");
    const there = await scrubber(page).getAttribute("aria-valuenow");
    await page.getByRole("button", { name: "Previous turn ([)" }).click();
    await page.getByText("Summary", { exact: true }).click();
    await expect.poll(() => page.locator("[data-tok]").count()).toBe(0);
    await page.getByText("Whole turns", { exact: true }).click();
    await page.locator("[data-tok]").first().waitFor();
    await page.getByText("At reading pace", { exact: true }).click();
    await page.getByLabel("Speed").selectOption("4");
    await page.getByRole("switch", { name: "Stop at events" }).check();
    for (let i = 0; i < 5 && (await scrubber(page).getAttribute("aria-valuenow")) !== there; i++) {
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    }
    expect(await scrubber(page).getAttribute("aria-valuenow")).toBe(there);
  });
});

describe("an embedded replay", () => {
  // One page for what the example does, and one for what is seen in the frame alone.
  const example = sharedPage(open, {
    visitor: { reducedMotion: "no-preference" },
    begin: async (page) => {
      await page.goto(`${open.server.url}embed-example.html`);
    },
  });
  const framed = sharedPage(open);

  it("answers messages and ignores what is none", async () => {
    const { page } = example;
    const watch = watchPage(page, open.server.url);
    const status = page.getByRole("status").first();
    const frame = page.frameLocator("#replay");
    await expect.poll(() => status.innerText()).toMatch(/^Turn 1 of \d+, paused\.$/);
    await frame.getByTestId("replay-player").waitFor();
    const send = (data: unknown) =>
      page.evaluate(
        (message) =>
          (document.getElementById("replay") as HTMLIFrameElement).contentWindow!.postMessage(message, "*"),
        data,
      );
    for (const bad of [
      null,
      "vagen:play",
      { type: "play" },
      { type: "vagen:seek", turn: -1 },
      { type: "vagen:speed", speed: 99 },
    ])
      await send(bad);
    await page.getByRole("button", { name: "Next turn" }).click();
    await expect.poll(() => status.innerText()).toMatch(/^Turn 2 of \d+, paused\.$/);
    await page.getByRole("button", { name: "Twice as fast" }).click();
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(() => status.innerText()).toMatch(/^Turn \d of \d+, playing at 2 ×\.$/);
    await page.getByRole("button", { name: "Pause" }).click();
    await expect.poll(() => status.innerText()).toMatch(/paused\.$/);
    await page.getByRole("button", { name: "To turn 1" }).click();
    await expect.poll(() => status.innerText()).toMatch(/^Turn 1 of \d+, paused\.$/);
    expect(watch.problems()).toEqual([]);
  });

  it("reports a place once, however many tokens it lasts", async () => {
    const { page } = example;
    await page
      .getByRole("status")
      .first()
      .getByText(/paused/)
      .waitFor();
    await page.evaluate((address) => {
      const frame = document.getElementById("replay") as HTMLIFrameElement;
      const reports: string[] = [];
      Object.assign(window, { reports });
      window.addEventListener("message", ({ data }) => {
        if (data?.type !== "vagen:place") return;
        reports.push(JSON.stringify(data));
        if (reports.length === 1) frame.contentWindow!.postMessage({ type: "vagen:play" }, "*");
      });
      frame.src = address;
      // Only the part after # differs, so that the frame would not load again by itself.
      frame.contentWindow!.location.replace(address);
    }, `embed.html#/${study.id}?show=1&speed=4`);
    const reports = () => page.evaluate(() => (window as unknown as { reports: string[] }).reports);
    const isOfTurn2 = (report: string) => report.includes('"turn":2');
    await expect.poll(async () => (await reports()).some(isOfTurn2)).toBe(true);
    const seen = await reports();
    expect(seen.filter((report, i) => report === seen[i - 1])).toEqual([]);
    // Turn 1 has a report when it is there, another when it plays; later turns may have had theirs by now.
    expect(seen.findIndex(isOfTurn2)).toBeLessThanOrEqual(3);
  });

  it("begins at the token of a link, as the studio does", async () => {
    const { responseMask, turnIndex } = early.trajectory.tokens;
    const written = [...responseMask.keys()].filter((i) => responseMask[i] === 1 && turnIndex[i] === 1);
    const token = written[Math.floor(written.length * 0.6)]!;
    const moment = `${study.id}?show=1&tok=${token}`;
    const { page } = framed;
    await page.goto(`${open.server.url}embed.html#/${moment}`);
    const whole = await lookAt(`#/replay/${moment}`);
    await scrubber(page).waitFor();
    await scrubber(whole).waitFor();
    expect(await place(page)).toBe(await place(whole));
    const at = (one: Page) => one.getByTestId("replay-turn-1").innerText();
    await expect.poll(() => at(page)).toBe(await at(whole));
  });

  it("plays a case study that WebAssembly draws", async () => {
    const { id, replays } = caseStudies.find(({ env }) => env === "svg")!;
    const { page } = framed;
    const watch = watchPage(page, open.server.url);
    const { turns } = replayOf(replays[0]!.id).trajectory;
    await page.goto(`${open.server.url}embed.html#/${id}?show=1&turn=${turns.length}&speed=4`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => scrubber(page).getAttribute("aria-valuenow")).toBe("100");
    // The drawing, and beside each other the icon, the drawing and where they differ.
    const comparison = page.getByTestId("comparison");
    expect(await settledColours(page.getByTestId("environment").locator("canvas"))).toHaveLength(1);
    expect(await settledColours(comparison.locator("canvas"))).toHaveLength(3);
    await expect
      .poll(() => comparison.innerText())
      .toContain(`Similarity ${Number(turns.at(-1)!.after.facts!.similarity).toFixed(2)}`);
    expect(watch.problems()).toEqual([]);
  });

  it("may be framed, and nothing else of the studio may", async () => {
    const policyOf = async (path: string) =>
      (await fetch(open.server.url + path)).headers.get("content-security-policy");
    expect(await policyOf("embed.html")).toContain("frame-ancestors *");
    expect(await policyOf("index.html")).toContain("frame-ancestors 'none'");
  });
});

describe("a case study for everyone", () => {
  /** The colour of the light ground, once it was seen. */
  let light = "";

  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const)
      it.each(["", "?show=1&turn=2&act=9", "?show=2&read=summary&turn=2"])(
        `is accessible at %j, ${colorScheme}, ${width} px wide`,
        async (query) => {
          await shared.page.emulateMedia({ colorScheme });
          const page = await lookAt(`#/replay/${study.id}${query}`, { width });
          await player(page).waitFor();
          light ||= await groundOf(page);
          if (colorScheme === "light") await expect.poll(() => groundOf(page)).toBe(light);
          else await expect.poll(() => groundOf(page)).not.toBe(light);
          await page.getByText("Where these recordings come from").click();
          // Colours of buttons fade when the theme changes; what is wrong in itself stays.
          const rules = colorScheme === "dark" ? OF_COLOURS : undefined;
          await expect.poll(() => axe(page, rules)).toEqual([]);
          if (query.startsWith("?show=1")) {
            await page.getByRole("button", { name: /^Take over/ }).click();
            await expect.poll(() => axe(page, rules)).toEqual([]);
          }
          await expect.poll(() => widthOf(page.locator("html"))).toBeLessThanOrEqual(width);
        },
      );
});

const widthOf = (element: Locator) => element.evaluate(({ scrollWidth }) => scrollWidth);
