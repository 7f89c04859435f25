import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "../programs/on-path.ts";
import { runTool } from "../run-tool.ts";

const COMMON_SETTINGS = join(import.meta.dirname, "schemathesis.toml");

/** Who sends the requests. */
export interface Caller {
  /** Further settings of schemathesis, as TOML. */
  settings: string;
  /** Environment variables that the settings refer to. */
  env: NodeJS.ProcessEnv;
}

interface Run {
  /** Whether the api responded as its document says. */
  passed: boolean;
  output: string;
}

/**
 * Sends requests of all kinds to the api of a stack, by its OpenAPI document, and checks the responses.
 * @param folder for files of the run
 */
export async function runSchemathesis(
  baseUrl: string,
  caller: Caller,
  folder: string,
): Promise<Run> {
  const program = findOnPath("schemathesis");
  if (program === null) throw new Error("schemathesis is missing");
  const settingsFile = join(folder, "schemathesis.toml");
  await writeFile(settingsFile, (await readFile(COMMON_SETTINGS, "utf8")) + caller.settings);
  const { failed, all } = await runTool(
    program,
    ["--config-file", settingsFile, "run", "--no-color", `${baseUrl}/api/openapi.json`],
    { all: true, cwd: folder, env: { ...caller.env, CONTRACT_BASE_URL: baseUrl } },
  );
  return { passed: !failed, output: all };
}
