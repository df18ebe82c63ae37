import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// One file configures the page, the command-line bundle (`vite build --ssr`) and the three test projects.
export default defineConfig({
  base: "./",
  plugins: [react(), tailwindcss()],
  worker: { format: "es" },
  build: { target: "es2023", chunkSizeWarningLimit: 1024 },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["src/**/*.test.{ts,tsx}"],
          exclude: ["src/**/*.gpu.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "gpu",
          environment: "node",
          include: ["src/**/*.gpu.test.ts"],
          // One process owns the software device at a time: Dawn and the driver use every core already.
          pool: "forks",
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: ["src/gpu/test-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          include: ["e2e/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
