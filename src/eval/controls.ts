// Controls: tasks that hide from a policy what it should need. A policy that succeeds at them all the same does not use it.

import { isTextBoard } from "../agent/env-options.ts";
import type { Task } from "../agent/task.ts";
import { registry } from "../core/registry.ts";
import type { Frame } from "../core/types.ts";
import type { Env, EnvSpec } from "../envs/env.ts";

/** One way to hide something. */
interface Control {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The changed task; null where a task has nothing to hide. */
  apply(task: Task): Task | null;
}

/** Every pixel of a blanked picture. */
const GREY = 128;
/** Further levels that are tried for an instruction or a text that differs. */
const MOST_TRIES = 60;

/** All controls. */
export const controls = registry<Control>(
  "control",
  {
    id: "blanked_picture",
    title: "Blanked picture",
    description: "Every picture is one grey.",
    apply: (task) =>
      isTextBoard(task.envConfig) ? null : withGames(task, (env) => changed(env, blank(env))),
  },
  {
    id: "text_of_another_level",
    title: "Text of another level",
    description: "Every turn shows the text that another level begins with, where levels differ in it.",
    apply: (task) => (isTextBoard(task.envConfig) ? withGames(task, readingOther) : null),
  },
  {
    id: "shuffled_instruction",
    title: "Shuffled instruction",
    description:
      "Each level has the instruction of a later level that differs from its own. Where all levels of a task have one instruction, it is that of another task.",
    apply: (task) => (asks(task) ? withGames(task, shuffled) : null),
  },
);

const asks = ({ spec, envConfig }: Task) => spec.create(envConfig).question !== undefined;

function withGames(task: Task, change: (env: Env, create: () => Env) => Env): Task {
  const spec: EnvSpec = {
    ...task.spec,
    create: (config, options) =>
      change(task.spec.create(config, options), () => task.spec.create(config, options)),
  };
  return { ...task, spec };
}

/** The environment with some of its methods replaced. */
function changed(env: Env, methods: Partial<Env>): Env {
  return new Proxy(env, {
    get(target, name) {
      const value = Reflect.get(name in methods ? methods : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function blank(env: Env): Partial<Env> {
  return {
    render: (patchPx) => grey(env.render(patchPx)),
    furtherPictures: () => (env.furtherPictures?.() ?? []).map((draw) => (patchPx) => grey(draw(patchPx))),
  };
}

function grey({ width, height }: Frame): Frame {
  const data = new Uint8ClampedArray(width * height * 4).fill(GREY);
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return { width, height, data };
}

/** Asks for what another task asks for, or else for what the next level does, or the nearest later one whose instruction differs. */
function shuffled(env: Env, create: () => Env): Env {
  return env.otherQuestion ? askingOther(env) : askingOfLater(env, create());
}

function askingOther(env: Env): Env {
  let level = 0;
  return changed(env, {
    reset(seed) {
      env.reset(seed);
      level = seed;
    },
    question: () => env.otherQuestion!(level),
  });
}

function askingOfLater(env: Env, other: Env): Env {
  let instruction = "";
  return changed(env, {
    reset(seed) {
      env.reset(seed);
      instruction = ofLaterLevel(other, seed, env.question!(), () => other.question!());
    },
    question: () => instruction,
  });
}

/** Shows the text that the next level begins with, or the nearest later one whose text differs. */
function readingOther(env: Env, create: () => Env): Env {
  const other = create();
  let text = "";
  return changed(env, {
    reset(seed) {
      env.reset(seed);
      text = ofLaterLevel(other, seed, env.text(), () => other.text());
    },
    text: () => text,
  });
}

/** What is read of the next level, or of the nearest later one where it differs; the own one where none of many does. */
function ofLaterLevel(other: Env, seed: number, own: string, read: () => string): string {
  for (let next = seed + 1; next <= seed + MOST_TRIES; next++) {
    other.reset(next);
    if (read() !== own) return read();
  }
  return own;
}
