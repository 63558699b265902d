import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: { $lib: here("src/lib"), $art: here("../src/limina") },
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: here("../src/limina/web"),
    emptyOutDir: true,
    target: "es2022",
    // The server's policy lets no script or style stand in the document itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The drawings come from the Python package, so that both draw the same.
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  // Tests named `.svelte.test.ts` run what a browser runs, effects and all, though there is none.
  test: {
    include: ["tests/**/*.test.ts"],
    pool: "threads",
    testTransformMode: { web: ["**/*.svelte.test.ts"] },
    testTimeout: 60_000, // of a test that hangs: on a busy machine one that reads all sources takes several seconds
  },
});
