import type { Logger } from "./logger.ts";

export interface DependencyState {
  readonly wasReached: boolean;
  readonly isUnavailable: boolean;
  unavailable(err: unknown): void;
  available(): void;
}

export function createDependencyState(logger: Logger, dependency: string): DependencyState {
  let isUnavailable = false;
  let wasReached = false;
  return {
    get wasReached() {
      return wasReached;
    },
    get isUnavailable() {
      return isUnavailable;
    },
    unavailable(err) {
      if (!isUnavailable) logger.warn({ event: "dependency_unavailable", dependency, err }, "dependency unavailable");
      isUnavailable = true;
    },
    available() {
      if (isUnavailable) logger.info({ event: "dependency_available", dependency }, "dependency available again");
      isUnavailable = false;
      wasReached = true;
    },
  };
}
