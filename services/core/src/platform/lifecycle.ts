import type { LogEvent, Logger } from "./logger.ts";

export interface Component {
  name: string;
  start?(): Promise<void>;
  /** May be called while `start` is still running. */
  stop?(): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * npx and pnpm forward a signal that the process group has already received. A second signal within this time is the
 * forwarded one.
 */
const FORWARDED_WITHIN_MS = 500;

/**
 * Starts the components in order and resolves when all are started. On a signal, stops them in reverse order and exits:
 * with 0, or with 1 after an uncaught error, a failed start, or `deadlineMs`. A second signal exits at once. Does not
 * resolve after shutdown started.
 */
export async function runComponents(
  logger: Logger,
  components: readonly Component[],
  { deadlineMs = 10_000 } = {},
): Promise<void> {
  const started: Component[] = [];
  let stoppingSince: number | null = null;
  let exitCode = 0;

  const stop = async (): Promise<never> => {
    stoppingSince = performance.now();
    setTimeout(() => {
      logger.error({ event: "shutdown_timed_out", waitingFor: started.at(-1)?.name }, "shutdown timed out");
      process.exit(1);
    }, deadlineMs);
    await stopInReverse(logger, started);
    logger.info({ event: "service_stopped" }, "stopped");
    process.exit(exitCode);
  };

  const fail = (event: LogEvent, message: string) => (err: unknown) => {
    logger.fatal({ event, err }, message);
    exitCode = 1;
    if (stoppingSince === null) void stop();
  };

  process.on("uncaughtException", fail("uncaught_exception", "uncaught exception"));
  process.on("unhandledRejection", fail("unhandled_rejection", "unhandled rejection"));
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === null) {
        logger.info({ event: "shutdown_started", signal }, "shutting down");
        void stop();
      } else if (performance.now() - stoppingSince > FORWARDED_WITHIN_MS) {
        logger.warn({ event: "shutdown_forced", signal }, "second signal: exiting at once");
        process.exit(1);
      }
    });
  }

  for (const component of components) {
    started.push(component);
    await component.start?.().catch(fail("component_start_failed", `${component.name} could not start`));
    if (stoppingSince !== null) return new Promise(() => {});
  }
}

async function stopInReverse(logger: Logger, started: Component[]): Promise<void> {
  for (let component = started.at(-1); component !== undefined; component = started.at(-1)) {
    try {
      await component.stop?.();
    } catch (err) {
      logger.error({ event: "component_stop_failed", err, component: component.name }, "failed to stop component");
    }
    started.pop();
  }
}
