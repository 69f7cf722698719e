import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../static",
    emptyOutDir: true,
    // The first browsers with light-dark(), of spring 2024; what replaces it does not follow a switch.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "overlay.html"] },
  },
});
