import type { Logger } from "./logger.ts";

/** Whether a dependency answers; the log gets one record when it goes and one when it is back. */
export interface DependencyState {
  /** Whether it has ever answered. */
  readonly wasReached: boolean;
  /** By what it did last. */
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
