// Entry of the embedded player: no shell, no training worker.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { WithModels } from "./ui/episode/with-models.ts";
import { Embed } from "./ui/routes/embed.tsx";
import "./ui/styles.css";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <WithModels value={false}>
        <Embed />
      </WithModels>
    </StrictMode>,
  );
