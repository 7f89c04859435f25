import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BUILT_IN_OPENING_TABLE as BUILT_IN } from "@tapthru/proto/rules/built-in-app-opening";
import { createLogLines } from "@tapthru/runtime/testing/log-lines";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createOpeningTables } from "./opening-tables.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-openings-"));
});
afterEach(() => rm(folder, { recursive: true }));

const textOf = (version: string) => JSON.stringify({ ...BUILT_IN, version });

function tablesFrom(file: string | null) {
  const { logger, lines } = createLogLines();
  const registry = new Registry();
  const tables = createOpeningTables(file, { logger, registry });
  return {
    tables,
    lines,
    async metric(name: string) {
      return (await registry.getSingleMetricAsString(name)).split("\n").slice(2).join("\n");
    },
  };
}

describe("the strategy table in force", () => {
  it("is the built-in one where no file is named", async () => {
    const { tables, metric } = tablesFrom(null);
    await tables.look();
    expect(tables.current()).toBe(BUILT_IN);
    expect(await metric("tapthru_app_opening_table_info")).toBe(
      `tapthru_app_opening_table_info{version="${BUILT_IN.version}"} 1`,
    );
  });

  it("is the file's, and changes with the file", async () => {
    const file = join(folder, "app-opening.json");
    await writeFile(file, textOf("first"));
    const { tables, lines, metric } = tablesFrom(file);
    await tables.look();
    expect(tables.current().version).toBe("first");

    await writeFile(file, textOf("other"));
    await tables.look();
    expect(tables.current().version).toBe("other");
    expect(await metric("tapthru_app_opening_table_info")).toBe(
      'tapthru_app_opening_table_info{version="other"} 1',
    );
    expect(lines.map(({ msg }) => msg)).toEqual(Array(2).fill("strategy table loaded"));
  });

  it("changes when a ConfigMap's folder is exchanged above the file", async () => {
    const publish = async (version: string) => {
      await mkdir(join(folder, `..${version}`));
      await writeFile(join(folder, `..${version}`, "app-opening.json"), textOf(version));
      await symlink(`..${version}`, join(folder, "..data_tmp"));
      await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    await publish("one");
    await symlink("..data/app-opening.json", join(folder, "app-opening.json"));
    const { tables } = tablesFrom(join(folder, "app-opening.json"));
    await tables.look();
    expect(tables.current().version).toBe("one");

    await publish("two");
    await tables.look();
    expect(tables.current().version).toBe("two");
  });

  it.each([
    ["is no JSON", "{"],
    ["does not hold", JSON.stringify({ ...BUILT_IN, version: "<script>" })],
    ["is too large", textOf("large") + " ".repeat(300_000)],
  ])("stays when the changed file %s, which is said once", async (_what, text) => {
    const file = join(folder, "app-opening.json");
    await writeFile(file, textOf("good"));
    const { tables, lines, metric } = tablesFrom(file);
    await tables.look();
    await writeFile(file, text);
    await tables.look();
    await tables.look();
    expect(tables.current().version).toBe("good");
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(await metric("tapthru_app_opening_table_refusals_total")).toMatch(/ 1$/);

    await writeFile(file, textOf("better"));
    await tables.look();
    expect(tables.current().version).toBe("better");
  });

  it("is the built-in one where the file is a pipe that nobody writes to", async () => {
    const file = join(folder, "app-opening.json");
    await promisify(execFile)("mkfifo", [file]);
    const { tables, lines } = tablesFrom(file);
    await tables.look();
    expect(tables.current()).toBe(BUILT_IN);
    expect(lines).toMatchObject([{ level: "error", msg: "strategy table rejected" }]);
  });

  it("is the built-in one while the file is missing, and the file's once it is there", async () => {
    const file = join(folder, "app-opening.json");
    const { tables, lines } = tablesFrom(file);
    await tables.start?.();
    onTestFinished(() => tables.stop?.());
    expect(tables.current()).toBe(BUILT_IN);
    expect(lines).toMatchObject([{ level: "error", msg: "strategy table rejected" }]);

    await writeFile(file, textOf("late"));
    await vi.waitFor(() => expect(tables.current().version).toBe("late"), { timeout: 10_000 });
  });
});
