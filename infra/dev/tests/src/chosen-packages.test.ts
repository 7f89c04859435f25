import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { expect, it } from "vitest";

/** The packages that the customer chose. `pnpm check` refuses a dependency that no file imports. */
const PACKAGES = {
  web: "react react-dom react-router-dom @tanstack/react-query firebase vite",
  proto: "zod",
  "services/*":
    "koa @koa/router koa-session fastify ioredis bullmq pg slonik firebase-admin open-graph-scraper pino prom-client vitest",
  "infra/dev/stack": "testcontainers",
};

it.each(Object.entries(PACKAGES))("%s depends on %s", (folders, names) => {
  const manifests = globSync(`${folders}/package.json`, { cwd: CHECKOUT });
  const dependencies = manifests.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(CHECKOUT, path), "utf8"));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  expect(dependencies).toEqual(expect.arrayContaining(names.split(" ")));
});

it("the directories that the customer chose are at the top, and k6 runs the load tests", () => {
  for (const name of ["services", "web", "infra", "proto", "docker-compose.yml", "k8s"])
    expect(existsSync(join(CHECKOUT, name))).toBe(true);
  expect(readFileSync(join(CHECKOUT, "infra/load/smoke.js"), "utf8")).toContain('from "k6');
});
