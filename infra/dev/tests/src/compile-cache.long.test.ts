import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "compile-cache-"));
const filled = join(folder, "filled");
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a service with Node's compile cache in this folder and without settings, as the Dockerfile does. */
async function startWithoutSettings(service: string, cache: string, nodeDebug = "") {
  const main = join(CHECKOUT, "services", service, "src", "main.ts");
  const env = { NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: nodeDebug };
  const { all, exitCode } = await execa(process.execPath, [main], {
    ...{ env, extendEnv: false, reject: false, all: true },
  });
  return { output: all, exitCode };
}

const REFUSED_SETTINGS = {
  exitCode: 1,
  output: expect.stringContaining('"event":"invalid_configuration"'),
};

it.each(["api", "redirect", "worker"])(
  "a start of the %s without settings stores each of its modules",
  async (service) => {
    expect(await startWithoutSettings(service, filled)).toEqual(REFUSED_SETTINGS);
    const { output } = await startWithoutSettings(service, filled, "COMPILE_CACHE");

    const results = [...output.matchAll(/V8 code cache for .* was ([a-z ]+),/g)].map(
      ([, text]) => text,
    );
    expect(new Set(results)).toEqual(new Set(["accepted"]));
    expect(output).toContain("retrieving transpile cache for StrippedTypeScript");
    expect(output).not.toContain("saving transpilation cache");
  },
);

describe("a service loads its modules", () => {
  const cache = join(folder, "changed");
  let files: string[];
  beforeAll(async () => {
    await startWithoutSettings("redirect", cache);
    files = readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(100);
  });

  it("if each stored module is that of another file", async () => {
    for (const file of files.slice(1)) cpSync(String(files[0]), file);

    expect(await startWithoutSettings("redirect", cache)).toEqual(REFUSED_SETTINGS);
  });

  it("if stored modules are cut off or not of Node", async () => {
    for (const file of files) truncateSync(file, 30);
    for (const file of files.slice(50)) writeFileSync(file, "text ".repeat(100));

    expect(await startWithoutSettings("redirect", cache)).toEqual(REFUSED_SETTINGS);
  });

  it("if the folder cannot be created", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");

    expect(await startWithoutSettings("redirect", file)).toEqual(REFUSED_SETTINGS);
  });
});
