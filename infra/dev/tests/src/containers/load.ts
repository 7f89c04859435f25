import { setTimeout as delay } from "node:timers/promises";

const VISITORS = 8;
const CREATORS = 2;
const PAUSE_MS = 10;
const CREATE_PAUSE_MS = 100;

export interface LoadReport {
  requests: number;
  failures: Record<string, number>;
}

/**
 * Visits the link repeatedly from several visitors until the work has ended.
 * @param create also called repeatedly: creates a link and returns an error message, or null
 */
export async function underLoad(
  url: string,
  location: string,
  work: () => Promise<void>,
  create?: () => Promise<string | null>,
): Promise<LoadReport> {
  const report: LoadReport = { requests: 0, failures: {} };
  let isRunning = true;
  const client = async (request: () => Promise<string | null>, pauseMs: number) => {
    while (isRunning) {
      const failure = await request().catch((error) => error.cause?.code ?? String(error));
      report.requests += 1;
      if (failure !== null) report.failures[failure] = (report.failures[failure] ?? 0) + 1;
      await delay(pauseMs);
    }
  };
  const clients = [
    ...Array.from({ length: VISITORS }, () => client(() => openLink(url, location), PAUSE_MS)),
    ...(create ? Array.from({ length: CREATORS }, () => client(create, CREATE_PAUSE_MS)) : []),
  ];
  await work().finally(() => {
    isRunning = false;
  });
  await Promise.all(clients);
  return report;
}

/** Opens a link in a desktop browser. Returns an error message, or null. */
export async function openLink(url: string, location: string): Promise<string | null> {
  const { status, headers } = await fetch(url, { redirect: "manual" });
  const isExpected = status === 302 && headers.get("location") === location;
  return isExpected ? null : `status ${status}`;
}
