// Rejects an old Node and says which version to install. Import this file first and statically; everything else only
// after it, because this file must still parse and run on the versions that it rejects.

const [major, minor] = process.versions.node.split(".").map(Number);
// Vite, the bundler, sets these bounds.
const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (!isSupported) {
  console.error(
    `VAGEN Studio needs Node 20.19 or newer (22.12 or newer in the 22 line); this is Node ${process.versions.node}.\n` +
      "Install the current LTS release from https://nodejs.org and run the command again.",
  );
  process.exit(1);
}
