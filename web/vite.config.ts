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
    // The Content-Security-Policy of the server forbids inline scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The page imports drawings from the Python package.
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  // Tests named `.svelte.test.ts` run the client build of Svelte, with effects, without a browser.
  test: {
    include: ["tests/**/*.test.ts"],
    pool: "threads",
    testTransformMode: { web: ["**/*.svelte.test.ts"] },
    testTimeout: 60_000, // long, because tests that read all sources take seconds on a busy machine
  },
});
