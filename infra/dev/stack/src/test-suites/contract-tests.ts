import { join } from "node:path";
import { findOnPath } from "../programs/on-path.ts";
import { withTestStack } from "../stack/test-stack.ts";
import { NO_RESULTS, type Results } from "./results.ts";
import { runVitest } from "./runners.ts";

const TITLE = "Contract tests";
const CONFIG = "--config=infra/dev/stack/src/contract/vitest.config.ts";

/** Compares the responses of a new demo stack with the OpenAPI document. Skipped without schemathesis (PyPI). */
export async function runContractTests(signal: AbortSignal): Promise<Results> {
  if (findOnPath("schemathesis") === null) return { ...NO_RESULTS, skipped: [TITLE] };
  return withTestStack(signal, async ({ baseUrl, settings: { ports, dataDir } }) => {
    const env: NodeJS.ProcessEnv = {
      CONTRACT_BASE_URL: baseUrl,
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.EMULATOR_PORT}`,
    };
    const reportFile = join(dataDir, "contract.json");
    return runVitest({ title: TITLE, env, reportFile, args: [CONFIG] }, signal);
  });
}
