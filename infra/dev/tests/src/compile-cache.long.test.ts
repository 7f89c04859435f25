import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";
import { afterAll, expect, it } from "vitest";

const cache = mkdtempSync(join(tmpdir(), "compile-cache-"));
afterAll(() => rmSync(cache, { recursive: true }));

/** Starts a service with Node's compile cache and without settings, as the Dockerfile does. */
async function startWithoutSettings(service: string, nodeDebug = "") {
  const main = join(CHECKOUT, "services", service, "src", "main.ts");
  const env = { NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: nodeDebug };
  const { all, exitCode } = await execa(process.execPath, [main], {
    ...{ env, extendEnv: false, reject: false, all: true },
  });
  return { output: all, exitCode };
}

const REFUSED_SETTINGS = { exitCode: 1, output: expect.stringContaining('"event":"invalid_configuration"') };

it.each(["api", "redirect", "worker"])(
  "a start of the %s without settings stores each of its modules",
  async (service) => {
    expect(await startWithoutSettings(service)).toEqual(REFUSED_SETTINGS);
    const { output } = await startWithoutSettings(service, "COMPILE_CACHE");

    const results = [...output.matchAll(/V8 code cache for .* was ([a-z ]+),/g)].map(([, text]) => text);
    expect(new Set(results)).toEqual(new Set(["accepted"]));
    expect(output).toContain("retrieving transpile cache for StrippedTypeScript");
    expect(output).not.toContain("saving transpilation cache");
  },
);
