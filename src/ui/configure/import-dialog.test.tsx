import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { missingTask } from "../../config/vagen/findings.ts";
import { formatRunConfig } from "../../config/yaml.ts";
import { Report } from "./import-dialog.tsx";
import { openConfigs } from "./open-config.ts";

const examples = join(import.meta.dirname, "../../config/vagen/testing/examples");
const example = (name: string) => ({ name, text: readFileSync(join(examples, name), "utf8") });

describe("opening files", () => {
  it("takes a configuration of ours as it is", () => {
    const config = checkedRunConfig({ name: "Seven", trainer: { total_updates: 7 } });
    const opened = openConfigs([{ name: "mine.yaml", text: formatRunConfig(config) }]);
    expect(opened).toEqual({ kind: "ours", config });
  });

  it("knows VAGEN's files, several at once", () => {
    const opened = openConfigs([example("legacy-script.sh"), example("legacy-dataset.yaml")]);
    expect(opened).toMatchObject({
      kind: "vagen",
      names: ["legacy-script.sh", "legacy-dataset.yaml"],
      imported: { config: { rollout: { n_trajectory: 8 }, trainer: { val_size: 64 } } },
    });
  });

  it("names a run after its tasks where the file has no name, and keeps the one that it has", () => {
    const nameIn = (text: string) => {
      const read = openConfigs([{ name: "mine.yaml", text }]);
      return (read.kind === "ours" ? read.config : read.imported.config).name;
    };
    expect(nameIn("env: { name: sokoban }")).toBe("Sokoban");
    expect(nameIn("{ name: run, env: { name: sokoban } }")).toBe("run");
    expect(nameIn("trainer: { experiment_name: run, n_gpus_per_node: 1 }")).toBe("run");
  });

  it("refuses what is neither, with the file's name", () => {
    expect(() => openConfigs([{ name: "odd.yaml", text: "actor: { lrr: 1 }" }])).toThrow("actor.lrr");
    expect(() => openConfigs([{ name: "odd.yaml", text: "a: [" }])).toThrow("odd.yaml");
    for (const text of ["", " \n", "# nothing\n", "{}"])
      expect(() => openConfigs([{ name: "bare.yaml", text }])).toThrow("bare.yaml has no settings.");
  });
});

describe("the report", () => {
  it("says of every kind how many, and of every key what became of it", () => {
    const opened = openConfigs([example("legacy-script.sh"), example("legacy-dataset.yaml")]);
    if (opened.kind !== "vagen") throw new Error("not VAGEN's");
    const text = renderToStaticMarkup(<Report {...opened} />)
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ");
    expect(text).toContain("read as a configuration of VAGEN, legacy");
    expect(text).toContain("1 refused");
    expect(text).toContain("actor_rollout_ref.actor.optim.lr 1e-6 → actor.lr 1e-6");
    expect(text).toContain("16 levels × 8 episodes for each.");
    expect(text).toContain("the studio has no such environment");
    expect(text).toMatch(/trainer\.n_gpus_per_node 4 Spreads the work/);
  });

  it("takes no settings whose task is not here, unless another of the file's tasks is", () => {
    const missing = (text: string) => {
      const opened = openConfigs([{ name: "tasks.yaml", text }]);
      return opened.kind === "vagen" ? missingTask(opened.imported.findings)?.value : "ours";
    };
    const household = "a: { env_name: alfworld, env_config: {}, train_size: 9 }";
    expect(missing(household)).toBe("alfworld");
    expect(missing(`${household}\nb: { env_name: sokoban, env_config: {}, train_size: 9 }`)).toBeUndefined();
  });
});
