import type { Logger } from "./logger.ts";

/** Whether a dependency is available; logs one record for each change. */
export interface DependencyState {
  /** Whether it was ever available. */
  readonly wasReached: boolean;
  /** By the last result. */
  readonly isAway: boolean;
  away(err: unknown): void;
  answered(): void;
}

export function createDependencyState(logger: Logger, dependency: string): DependencyState {
  let isAway = false;
  let wasReached = false;
  return {
    get wasReached() {
      return wasReached;
    },
    get isAway() {
      return isAway;
    },
    away(err) {
      if (!isAway)
        logger.warn({ event: "dependency_unavailable", dependency, err }, "dependency unavailable");
      isAway = true;
    },
    answered() {
      if (isAway)
        logger.info({ event: "dependency_available", dependency }, "dependency available again");
      isAway = false;
      wasReached = true;
    },
  };
}
