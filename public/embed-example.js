// Drives the embedded replay with messages, and writes down where it is. See docs/embedding.md.
const frame = document.getElementById("replay");
const place = document.getElementById("place");

for (const button of document.querySelectorAll("[data-message]"))
  button.addEventListener("click", () =>
    frame.contentWindow.postMessage(JSON.parse(button.dataset.message), "*"),
  );

window.addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow || data?.type !== "vagen:place") return;
  const { turn, turns, playing, speed } = data;
  place.textContent = `Turn ${turn} of ${turns}, ${playing ? `playing at ${speed} ×` : "paused"}.`;
});
