// What the studio implements, and under which licence.
export function Foot() {
  return (
    <footer className="flex flex-col gap-1 border-t border-line pt-4 text-dense text-muted">
      <p className="max-w-[80ch]">
        The method is that of{" "}
        <a className="text-accent underline underline-offset-2" href="https://arxiv.org/abs/2510.16907">
          VAGEN: Reinforcing World Model Reasoning for Multi-Turn VLM Agents
        </a>
        . The studio's own small policies play every episode on this page.
      </p>
      <p>
        VAGEN Studio · Apache License 2.0 ·{" "}
        <a className="underline underline-offset-2" href="./third-party.txt">
          Third-party licences
        </a>
      </p>
    </footer>
  );
}
