import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { expect, it } from "vitest";

const WEB = "web/src/**/*.{ts,tsx}";
const SERVICES = "services/*/src/**/*.ts";

/** The packages that the customer chose, and where each is in real use. */
const PACKAGES: Record<string, string> = {
  react: WEB,
  "react-dom": WEB,
  "react-router-dom": WEB,
  "@tanstack/react-query": WEB,
  firebase: WEB,
  vite: "web/*.ts",
  zod: "proto/src/**/*.ts",
  koa: SERVICES,
  "@koa/router": SERVICES,
  "koa-session": SERVICES,
  fastify: SERVICES,
  ioredis: SERVICES,
  bullmq: SERVICES,
  pg: SERVICES,
  slonik: SERVICES,
  "firebase-admin": SERVICES,
  "open-graph-scraper": SERVICES,
  pino: SERVICES,
  "prom-client": SERVICES,
  vitest: "services/*/src/**/*.test.ts",
  testcontainers: "infra/dev/stack/src/**/*.ts",
  k6: "infra/load/**/*.js",
};

it.each(Object.entries(PACKAGES))("%s, which the customer chose, is used in %s", (name, files) => {
  const isTest = files.includes(".test.");
  // Not only for types.
  const uses = new RegExp(
    String.raw`^(?:import|export) (?!type\b)[^;]*?"${name}(?:/[^"]*)?"|import\("${name}(?:/[^"]*)?"\)`,
    "m",
  );
  const found = globSync(files, { cwd: CHECKOUT, exclude: ["**/node_modules/**"] }).some(
    (path) => path.includes(".test.") === isTest && uses.test(readFileSync(join(CHECKOUT, path), "utf8")),
  );
  expect(found).toBe(true);
});

it.each(["services", "web", "infra", "proto", "docker-compose.yml", "k8s"])("%s is at the top", (name) => {
  expect(existsSync(join(CHECKOUT, name))).toBe(true);
});
