import { setTimeout as delay } from "node:timers/promises";

const VISITORS = 8;
const PAUSE_MS = 10;
const LATE_MS = 1_000;

export interface LoadReport {
  requests: number;
  /** What went wrong, one text a request. */
  failures: string[];
  slowestMs: number;
}

/** Opens the link again and again, from several visitors, while the work lasts. */
export async function underLoad(
  url: string,
  location: string,
  work: () => Promise<void>,
): Promise<LoadReport> {
  const report: LoadReport = { requests: 0, failures: [], slowestMs: 0 };
  let goesOn = true;
  const visitor = async () => {
    while (goesOn) {
      const start = performance.now();
      const fault = await faultOf(url, location);
      const took = performance.now() - start;
      report.requests += 1;
      report.slowestMs = Math.max(report.slowestMs, Math.round(took));
      if (fault !== null) report.failures.push(fault);
      else if (took > LATE_MS) report.failures.push(`answered after ${Math.round(took)} ms`);
      await delay(PAUSE_MS);
    }
  };
  const visitors = Array.from({ length: VISITORS }, visitor);
  await work().finally(() => {
    goesOn = false;
  });
  await Promise.all(visitors);
  return report;
}

async function faultOf(url: string, location: string): Promise<string | null> {
  try {
    const { status, headers } = await fetch(url, { redirect: "manual" });
    const isRight = status === 302 && headers.get("location") === location;
    return isRight ? null : `answered ${status}`;
  } catch (error) {
    return String(error);
  }
}
