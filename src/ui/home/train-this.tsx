// Opens Train and starts the preset that trains the policy on screen.
import { Play } from "lucide-react";
import { useNavigate } from "react-router";

export function TrainThis({ preset, primary = false }: { preset: string; primary?: boolean }) {
  const navigate = useNavigate();
  const train = async () => {
    navigate("/train");
    // Train says itself that it could not be loaded.
    const session = await import("../session/start-preset.ts").catch(() => null);
    await session?.startPreset(preset);
  };
  return (
    <button type="button" className={`btn ${primary ? "btn-primary" : ""}`} onClick={() => void train()}>
      <Play size={14} aria-hidden /> Train this policy yourself
    </button>
  );
}
