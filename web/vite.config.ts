import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: here("src/lib"), $art: here("../src/limina") } },
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
  test: { include: ["tests/**/*.test.ts"] },
});
