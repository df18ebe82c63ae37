// Browser entry: mounts the page; once something moves there, connects to the training worker.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./ui/app.tsx";
import { afterFirstPicture } from "./ui/lib/first-picture.ts";
import { noteMissingCode } from "./ui/lib/missing-code.ts";
import { keepForOffline } from "./ui/lib/offline.ts";
import "./ui/styles.css";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

afterFirstPicture(() => {
  // Without this code nothing can be trained, which the page says where it is missed; replays need none of it.
  void import("./ui/session/boot.ts").then(({ bootSession }) => bootSession(), noteMissingCode);
  // Keeping the files for later loads all of them.
  keepForOffline();
});
