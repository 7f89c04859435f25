import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { findK6 } from "./find-k6.ts";
import type { ScenarioName, ScenarioParameters } from "./scenarios.ts";

const SCRIPTS = join(CHECKOUT, "infra", "dev", "load");
/** Where a run leaves its summary, as JSON and, unless it is short, as HTML. */
export const SUMMARIES = join(CHECKOUT, ".data", "load");

/** @returns whether every threshold held */
export async function runK6(
  name: ScenarioName,
  {
    baseUrl,
    wishes,
    folder = SUMMARIES,
  }: { baseUrl: string; wishes: ScenarioParameters; folder?: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { command, args } = await findK6();
  await mkdir(folder, { recursive: true });
  const summary = join(folder, name);
  const files = [`${summary}.html`, `${summary}.json`];
  await Promise.all(files.map((file) => rm(file, { force: true })));
  const told = { ...wishes, BASE_URL: baseUrl, SUMMARY: `${summary}.json` };
  const variables = Object.entries(told).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  // Of its dashboard only the page at the end is wanted: no port.
  const page = `web-dashboard=port=-1&period=1s&export=${summary}.html`;
  const script = join(SCRIPTS, `${name}.js`);
  const { failed } = await execa(
    command,
    [...args, "run", "--no-usage-report", "--out", page, ...variables, script],
    { stdio: "inherit", reject: false, cancelSignal: signal },
  );
  // k6 writes no page of a run of seconds, such as smoke, and nothing of one that broke off.
  const written = files.filter((file) => existsSync(file));
  if (written.length > 0) console.log(written.join(", "));
  return !failed;
}
