import { UserFacingError } from "../user-facing-error.ts";

const COVERAGE = "--coverage";
const FAIL_ON_SKIPS = "--fail-on-skips";

export interface TestOptions {
  coverage: boolean;
  failOnSkips: boolean;
}

/** @throws UserFacingError with the first unknown option */
export function readTestOptions(args: readonly string[]): TestOptions {
  const unknown = args.find((argument) => argument !== COVERAGE && argument !== FAIL_ON_SKIPS);
  if (unknown !== undefined) {
    throw new UserFacingError(`Unknown option: ${unknown}. Known: ${COVERAGE}, ${FAIL_ON_SKIPS}.`);
  }
  return { coverage: args.includes(COVERAGE), failOnSkips: args.includes(FAIL_ON_SKIPS) };
}
