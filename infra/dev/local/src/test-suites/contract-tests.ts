import { join } from "node:path";
import { findOnPath } from "../programs/on-path.ts";
import { withTestStack } from "../stack/test-stack.ts";
import { NO_RESULTS, type TestResults } from "../test-report/results.ts";
import { countVitestTests, runVitest } from "../test-report/runners.ts";
import { UserFacingError } from "../user-facing-error.ts";

const TITLE = "the api responds as its document says";
const CONFIG = "--config=infra/dev/local/src/contract/vitest.config.ts";
const MISSING = "schemathesis is missing (PyPI: pip install schemathesis)";

/**
 * Compares the responses of a new demo stack with the OpenAPI document.
 * @throws UserFacingError if schemathesis is missing
 */
export async function runContractTests(signal: AbortSignal): Promise<TestResults> {
  if (!hasSchemathesis()) throw new UserFacingError(MISSING);
  return withTestStack(signal, async ({ baseUrl, settings: { ports, dataDir } }) => {
    const env: NodeJS.ProcessEnv = {
      CONTRACT_BASE_URL: baseUrl,
      FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.EMULATOR_PORT}`,
    };
    const reportFile = join(dataDir, "contract.json");
    return runVitest({ env, reportFile, args: [CONFIG] }, signal);
  });
}

/** As `runContractTests`, but the tests are skipped if schemathesis is missing. */
export async function runOrSkipContractTests(signal: AbortSignal): Promise<TestResults> {
  if (hasSchemathesis()) return runContractTests(signal);
  return { ...NO_RESULTS, skipped: [{ title: TITLE, message: MISSING }] };
}

/** @returns null if they cannot be listed */
export function countContractTests(): Promise<number | null> {
  return countVitestTests([CONFIG]);
}

function hasSchemathesis(): boolean {
  return findOnPath("schemathesis") !== null;
}
