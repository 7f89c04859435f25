import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createDocument } from "./openapi/document.ts";

const REDOCLY = fileURLToPath(new URL("../../node_modules/.bin/redocly", import.meta.url));
const RULES = fileURLToPath(new URL("redocly.yaml", import.meta.url));

it("the OpenAPI document follows the rules of Redocly", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    const settings = { publicBaseUrl: "https://tap.test", productName: "Tapthru", contactEmail: "hello@tap.test" };
    await writeFile(file, JSON.stringify(createDocument(settings)));
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile)(REDOCLY, ["lint", file, "--config", RULES, "--format=json"], { env });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
