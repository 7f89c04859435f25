import { defineConfig } from "vitest/config";

/** Tests of the containers of docker-compose.yml, one after another. They need a Docker engine. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.docker.ts"],
    fileParallelism: false,
    // Only end tests that wait forever: no test measures time.
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
  },
});
