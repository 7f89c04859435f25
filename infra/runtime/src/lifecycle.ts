import type { LogEvent, Logger } from "./logger.ts";

/** Something that starts and stops: a client, a listener, a worker. */
export interface Component {
  name: string;
  start?(): Promise<void>;
  /** May be called while `start` is still running. */
  stop?(): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npx and pnpm forward a signal that the process group received already: within this time it is the same one. */
const ECHO_MS = 500;

/**
 * Starts the components in order and resolves when all are started. On a signal, stops them in reverse order and exits:
 * with 0, or with 1 after an uncaught error, a failed start, or `deadlineMs`. A second signal exits at once. Does not
 * resolve after shutdown started.
 */
export async function runComponents(
  logger: Logger,
  parts: readonly Component[],
  { deadlineMs = 10_000 } = {},
): Promise<void> {
  const begun: Component[] = [];
  let stoppingSince: number | null = null;
  let exitCode = 0;

  const stop = async (): Promise<never> => {
    stoppingSince = performance.now();
    setTimeout(() => {
      logger.error(
        { event: "shutdown_timed_out", waitingFor: begun.at(-1)?.name },
        "shutdown timed out",
      );
      process.exit(1);
    }, deadlineMs);
    await stopInReverse(logger, begun);
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
      } else if (performance.now() - stoppingSince > ECHO_MS) {
        logger.warn({ event: "shutdown_forced", signal }, "second signal: exiting at once");
        process.exit(1);
      }
    });
  }

  for (const part of parts) {
    begun.push(part);
    await part.start?.().catch(fail("component_start_failed", `${part.name} could not start`));
    if (stoppingSince !== null) return new Promise(() => {});
  }
}

async function stopInReverse(logger: Logger, begun: Component[]): Promise<void> {
  for (let part = begun.at(-1); part !== undefined; part = begun.at(-1)) {
    try {
      await part.stop?.();
    } catch (err) {
      logger.error(
        { event: "component_stop_failed", err, part: part.name },
        "failed to stop component",
      );
    }
    begun.pop();
  }
}
