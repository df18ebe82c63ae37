// Runs before the first paint, so that a chosen theme never flashes the other one. Without a choice the system's counts.
try {
  const theme = localStorage.getItem("vagen-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be blocked; the system's theme is then the right one.
}

// On the front page, what it shows first is loaded at once, not each part after the one that asks for it. Only a built page
// has such links; scripts/vite/home-links.ts writes them.
if (/^(#\/?)?$/.test(location.hash))
  for (const link of document.querySelectorAll("link[data-home]")) link.rel = link.dataset.home;

// Without this message, the page stays empty when one of its scripts fails to load, for example after a new version replaced its files.
// Once something is on screen, the page itself reports what failed. The classes are those of ErrorView (src/ui/components/error-boundary.tsx).
addEventListener(
  "error",
  ({ target }) => {
    const root = document.getElementById("root");
    if (!(target instanceof HTMLScriptElement) || !root || root.hasChildNodes()) return;
    const add = (parent, tag, className, text = "") =>
      parent.appendChild(Object.assign(document.createElement(tag), { className, textContent: text }));
    const view = add(add(root, "main", "mx-auto max-w-[72ch] p-6"), "div", "");
    view.role = "alert";
    add(view, "h1", "mb-2 text-h2 font-semibold", "VAGEN Studio could not be loaded");
    const remedy = "Check that the studio can be reached, then reload the page. Stored runs are kept.";
    add(view, "p", "mb-4", `A file of the page did not arrive. ${remedy}`);
    const reload = add(view, "button", "btn btn-primary", "Reload the page");
    reload.type = "button";
    reload.addEventListener("click", () => location.reload());
  },
  // Load errors do not bubble.
  true,
);
