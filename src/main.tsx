// Browser entry: connects to the training worker and mounts the page, nothing else.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./ui/app.tsx";
import { keepForOffline } from "./ui/lib/offline.ts";
import { bootSession } from "./ui/session/boot.ts";
import "./ui/styles.css";

void bootSession();
keepForOffline();

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
