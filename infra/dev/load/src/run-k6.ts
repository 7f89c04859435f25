import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { findK6 } from "./find-k6.ts";
import type { ScenarioName, ScenarioParameters } from "./scenarios.ts";

const SCRIPTS = join(CHECKOUT, "infra", "dev", "load");
/** Folder of the summaries: JSON, and HTML unless the run is short. */
export const SUMMARIES = join(CHECKOUT, ".data", "load");

/** @returns whether the run stayed within all thresholds */
export async function runK6(
  name: ScenarioName,
  {
    baseUrl,
    parameters,
    folder = SUMMARIES,
  }: { baseUrl: string; parameters: ScenarioParameters; folder?: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { command, args } = await findK6();
  await mkdir(folder, { recursive: true });
  const summary = join(folder, name);
  const files = [`${summary}.html`, `${summary}.json`];
  await Promise.all(files.map((file) => rm(file, { force: true })));
  const env = { ...parameters, BASE_URL: baseUrl, SUMMARY: `${summary}.json` };
  const variables = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  // Only the dashboard's final page is needed, so it opens no port.
  const page = `web-dashboard=port=-1&period=1s&export=${summary}.html`;
  const script = join(SCRIPTS, `${name}.js`);
  const { failed } = await execa(
    command,
    [...args, "run", "--no-usage-report", "--out", page, ...variables, script],
    { stdio: "inherit", reject: false, cancelSignal: signal },
  );
  // k6 writes no HTML for a run of a few seconds, such as smoke, and nothing for an aborted run.
  const written = files.filter((file) => existsSync(file));
  if (written.length > 0) console.log(written.join(", "));
  return !failed;
}
