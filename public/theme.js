// Runs before the first paint, so that a chosen theme never flashes the other one. Without a choice the system's counts.
try {
  const theme = localStorage.getItem("vagen-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be blocked; the system's theme is then the right one.
}
