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
