import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { BUILT_IN_OPENING_TABLE as BUILT_IN } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { createStrategyTableLoader } from "./strategy-table.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-openings-"));
  file = join(folder, "app-opening.json");
});
afterEach(() => rm(folder, { recursive: true }));

const tableText = (version: string) => JSON.stringify({ ...BUILT_IN, version });

function loaderFor(path: string | null) {
  const { logger, lines } = createTestLogger();
  const registry = new Registry();
  const loader = createStrategyTableLoader(path, { logger, registry });
  return {
    loader,
    lines,
    async metric(name: string) {
      return (await registry.getSingleMetricAsString(name)).split("\n").slice(2).join("\n");
    },
  };
}

it("the table is the built-in one without a file", async () => {
  const { loader, metric } = loaderFor(null);
  await loader.reload();
  expect(loader.current()).toBe(BUILT_IN);
  expect(await metric("tapthru_app_opening_table_info")).toBe(
    `tapthru_app_opening_table_info{version="${BUILT_IN.version}"} 1`,
  );
});

it("the table is the file's and changes with it", async () => {
  await writeFile(file, tableText("first"));
  const { loader, lines, metric } = loaderFor(file);
  await loader.reload();
  expect(loader.current().version).toBe("first");
  await writeFile(file, tableText("other"));
  await loader.reload();
  expect(loader.current().version).toBe("other");
  expect(await metric("tapthru_app_opening_table_info")).toBe('tapthru_app_opening_table_info{version="other"} 1');
  expect(lines.map(({ msg }) => msg)).toEqual(Array(2).fill("strategy table loaded"));
});

it("the table changes when Kubernetes replaces a ConfigMap's directory", async () => {
  const publish = async (version: string) => {
    await mkdir(join(folder, `..${version}`));
    await writeFile(join(folder, `..${version}`, "app-opening.json"), tableText(version));
    await symlink(`..${version}`, join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  };
  await publish("one");
  await symlink("..data/app-opening.json", file);
  const { loader } = loaderFor(file);
  await loader.reload();
  expect(loader.current().version).toBe("one");
  await publish("two");
  await loader.reload();
  expect(loader.current().version).toBe("two");
});

it.each([
  ["is not JSON", "{"],
  ["is invalid", JSON.stringify({ ...BUILT_IN, version: "<script>" })],
  ["is too large", tableText("large") + " ".repeat(300_000)],
])("the table does not change if the changed file %s, which is logged once", async (_fault, text) => {
  await writeFile(file, tableText("good"));
  const { loader, lines, metric } = loaderFor(file);
  await loader.reload();
  await writeFile(file, text);
  await loader.reload();
  await loader.reload();
  expect(loader.current().version).toBe("good");
  expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(await metric("tapthru_app_opening_table_refusals_total")).toMatch(/ 1$/);
  await writeFile(file, tableText("better"));
  await loader.reload();
  expect(loader.current().version).toBe("better");
});

it("the table is the built-in one if the file is a pipe without a writer", async () => {
  await promisify(execFile)("mkfifo", [file]);
  const { loader, lines } = loaderFor(file);
  await loader.reload();
  expect(loader.current()).toBe(BUILT_IN);
  expect(lines).toMatchObject([{ level: "error", msg: "strategy table rejected" }]);
});

it("the table is the built-in one while the file is missing, then the file's", async () => {
  const { loader, lines } = loaderFor(file);
  await loader.start?.();
  onTestFinished(() => loader.stop?.());
  expect(loader.current()).toBe(BUILT_IN);
  expect(lines).toMatchObject([{ level: "error", msg: "strategy table rejected" }]);
  await writeFile(file, tableText("late"));
  await vi.waitFor(() => expect(loader.current().version).toBe("late"), { timeout: 60_000 });
});
