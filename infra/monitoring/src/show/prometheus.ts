import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { Stack } from "@tapthru/local/stack/stack";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { execa } from "execa";
import { stringify } from "yaml";
import * as z from "zod/mini";

/** What Grafana would choose for such a short time range. */
const RATE_INTERVAL = "10s";

const Metric = z.record(z.string(), z.string());
const Value = z.tuple([z.number(), z.string()]);
const RangeResponse = z.object({
  data: z.object({ result: z.array(z.object({ metric: Metric, values: z.array(Value) })) }),
});
const InstantResponse = z.object({
  data: z.object({ result: z.array(z.object({ metric: Metric, value: Value })) }),
});

export interface PrometheusPlan {
  /** A folder for its configuration and data; it is created. */
  folder: string;
  logFile: string;
  /** The ports with metrics, by the name of the job. */
  targets: Readonly<Record<string, readonly number[]>>;
  /** Between scrapes, and between evaluations of rules. */
  intervalS: number;
  /** What it knows from the start, as OpenMetrics text with times. */
  past?: string;
}

export interface Series {
  labels: Record<string, string>;
  /** Unix seconds and values. Values that are not finite are left out. */
  points: [seconds: number, value: number][];
}

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export interface Prometheus {
  /** The values now. */
  query(expr: string): Promise<Sample[]>;
  /** The values of each second. @param from, to Unix seconds */
  queryRange(expr: string, from: number, to: number): Promise<Series[]>;
}

/** Starts a Prometheus that scrapes these ports and evaluates the rules of this package. */
export async function startPrometheus(plan: PrometheusPlan, stack: Stack): Promise<Prometheus> {
  const command = requiredProgram("prometheus");
  const { folder, logFile, targets, intervalS, past } = plan;
  await mkdir(folder);
  const config = {
    global: { scrape_interval: `${intervalS}s`, evaluation_interval: `${intervalS}s` },
    rule_files: [join(import.meta.dirname, "..", "..", "prometheus", "rules", "*.yml")],
    scrape_configs: Object.entries(targets).map(([job, ports]) => ({
      job_name: job,
      static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }],
    })),
  };
  await writeFile(join(folder, "prometheus.yml"), stringify(config));
  if (past !== undefined) await importPast(folder, past);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await stack.start(
    {
      name: "prometheus",
      command,
      args: [
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      logFile,
    },
    () => respondsOverHttp(`${url}/-/ready`, 200),
  );

  async function get(path: string, parameters: Record<string, string>): Promise<unknown> {
    const query = String(parameters.query).replaceAll("$__rate_interval", RATE_INTERVAL);
    const response = await fetch(`${url}${path}?${new URLSearchParams({ ...parameters, query })}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${query}: ${text}`);
    return JSON.parse(text);
  }

  return {
    async query(expr) {
      const { data } = z.parse(InstantResponse, await get("/api/v1/query", { query: expr }));
      return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    async queryRange(expr, from, to) {
      const range = { start: String(from), end: String(to), step: "1" };
      const body = await get("/api/v1/query_range", { query: expr, ...range });
      return z.parse(RangeResponse, body).data.result.map(({ metric, values }) => ({
        labels: metric,
        points: values
          .map(([seconds, value]): [number, number] => [seconds, Number(value)])
          .filter(([, value]) => Number.isFinite(value)),
      }));
    },
  };
}

async function importPast(folder: string, past: string): Promise<void> {
  const file = join(folder, "past.txt");
  await writeFile(file, past);
  const promtool = requiredProgram("promtool");
  await execa(promtool, ["tsdb", "create-blocks-from", "openmetrics", file, join(folder, "data")]);
}

/** Both programs are in Debian's package prometheus. */
function requiredProgram(name: "prometheus" | "promtool"): string {
  const program = findOnPath(name);
  if (program !== null) return program;
  throw new UserFacingError(`Missing: ${name}. Install with \`sudo apt-get install prometheus\`.`);
}
