import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "overlay.html"] },
  },
});
