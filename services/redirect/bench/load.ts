import { once } from "node:events";
import { text } from "node:stream/consumers";
import { spawnPinned } from "./pinned.ts";

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36";
const MS_PER_UNIT: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

/** One round of wrk: as many requests as the server answers, over 32 connections. */
export async function measure(core: number, url: string, seconds: number): Promise<Figures> {
  const options = ["-t1", "-c32", `-d${seconds}`, "--latency", "-H", `User-Agent: ${AGENT}`];
  const wrk = spawnPinned(core, "wrk", [...options, url]);
  const [report] = await Promise.all([text(wrk.stdout), once(wrk, "close")]);
  return {
    requestsPerSecond: Number(find(report, /Requests\/sec:\s+([\d.]+)/)[1]),
    p50Ms: percentile(report, "50%"),
    p99Ms: percentile(report, "99%"),
  };
}

function percentile(report: string, name: string): number {
  const [, value, unit = ""] = find(report, new RegExp(`\\s${name}\\s+([\\d.]+)(us|ms|s)`));
  return Number(value) * (MS_PER_UNIT[unit] ?? Number.NaN);
}

function find(report: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(report);
  if (match === null) throw new Error(`wrk said nothing like ${pattern}:\n${report}`);
  return match;
}
