import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: ["{proto,infra,services}/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
        },
      },
      "web/vite.config.*",
    ],
  },
});
