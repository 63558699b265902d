import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  // Generated from the server's schema.
  { ignores: ["src/lib/api/types.ts"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // The TypeScript compiler checks names.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // States are replaced as a whole, so sets and maps in them need not be reactive.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    // Limes inserts its drawings with {@html}; its own code generates them without foreign input.
    files: ["src/games/limes/**/*.svelte"],
    rules: { "svelte/no-at-html-tags": "off" },
  },
);
