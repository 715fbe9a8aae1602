import { defineConfig } from "vite";

export default defineConfig({
  // Wherever the folder is served from.
  base: "./",
  build: {
    target: "es2022",
    // A content security policy refuses what is inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      // A mark for another kind of renderer, which means nothing here.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
