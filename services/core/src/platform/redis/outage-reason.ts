import { Redis } from "ioredis";
import { parseRedisAddress } from "./address.ts";

const TIMEOUT_MS = 1_000;

const CLOSED = /Connection is closed\.$/;

/**
 * Reports why Redis is unavailable. ioredis' errors of a cluster do not say it: then a connection to the
 * first of them is tried, and its error is the cause. Errors during this attempt are not reported.
 */
export function createOutageReporter(url: string, report: (error: unknown) => void): (error: unknown) => void {
  let isTrying = false;
  return (error) => {
    const { message, lastNodeError } = (error ?? {}) as { message: string; lastNodeError?: Error };
    const nodeError = lastNodeError?.message ?? message;
    if (!CLOSED.test(nodeError)) {
      return report(lastNodeError ? withCause(error, lastNodeError) : error);
    }
    if (isTrying) return;
    isTrying = true;
    void tryFirstNode(url).then((cause) => {
      isTrying = false;
      report(cause ? withCause(error, cause) : error);
    });
  };
}

function withCause(error: unknown, cause: unknown): Error {
  return new Error((error as Error).message, { cause });
}

/** The first error of a connection; null if there was none, or with a single server, whose errors say the reason. */
async function tryFirstNode(url: string): Promise<unknown> {
  const address = parseRedisAddress(url);
  if (address.kind === "server") return null;
  const { nodes, login, hasTls } = address;
  const client = new Redis({
    ...nodes[0],
    ...login,
    ...(hasTls && { tls: {} }),
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
  });
  const errors: unknown[] = [];
  client.on("error", (error) => errors.push(error));
  await client.ping().catch((error) => errors.push(error));
  client.disconnect();
  return errors[0] ?? null;
}
