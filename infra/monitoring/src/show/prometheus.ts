import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { Settings } from "@tapthru/local/stack/settings";
import type { Stack } from "@tapthru/local/stack/stack";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { stringify } from "yaml";
import * as z from "zod/mini";

const SCRAPE_INTERVAL_S = 1;
/** What Grafana would choose for such a short time range. */
const RATE_INTERVAL = "10s";

const RangeResponse = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

export interface Series {
  labels: Record<string, string>;
  /** Unix seconds and values. Values that are not finite are left out. */
  points: [seconds: number, value: number][];
}

export interface Prometheus {
  /** @param from, to Unix seconds */
  queryRange(expr: string, from: number, to: number): Promise<Series[]>;
}

/** Starts a Prometheus that scrapes the stack and evaluates the rules of this package. */
export async function startPrometheus(settings: Settings, stack: Stack): Promise<Prometheus> {
  const command = findOnPath("prometheus");
  if (command === null) {
    throw new UserFacingError(
      "Missing: prometheus. Install with `sudo apt-get install prometheus`.",
    );
  }
  const { ports, dataDir, logsDir } = settings;
  const folder = join(dataDir, "prometheus");
  await mkdir(folder);
  const targets = {
    "tapthru-api": ports.API_ADMIN_PORT,
    "tapthru-redirect": ports.REDIRECT_ADMIN_PORT,
    "tapthru-worker": ports.WORKER_ADMIN_PORT,
    "tapthru-gateway-metrics": ports.GATEWAY_ADMIN_PORT,
  };
  const config = {
    global: { scrape_interval: `${SCRAPE_INTERVAL_S}s`, evaluation_interval: "1s" },
    rule_files: [join(import.meta.dirname, "..", "..", "prometheus", "rules", "*.yml")],
    scrape_configs: Object.entries(targets).map(([job, port]) => ({
      job_name: job,
      static_configs: [{ targets: [`127.0.0.1:${port}`] }],
    })),
  };
  await writeFile(join(folder, "prometheus.yml"), stringify(config));

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
      logFile: join(logsDir, "prometheus.log"),
    },
    () => respondsOverHttp(`${url}/-/ready`, 200),
  );

  return {
    async queryRange(expr, from, to) {
      const query = expr.replaceAll("$__rate_interval", RATE_INTERVAL);
      const range = {
        query,
        start: String(from),
        end: String(to),
        step: String(SCRAPE_INTERVAL_S),
      };
      const response = await fetch(`${url}/api/v1/query_range?${new URLSearchParams(range)}`);
      const text = await response.text();
      if (!response.ok) throw new Error(`${query}: ${text}`);
      return z.parse(RangeResponse, JSON.parse(text)).data.result.map(({ metric, values }) => ({
        labels: metric,
        points: values
          .map(([seconds, value]): [number, number] => [seconds, Number(value)])
          .filter(([, value]) => Number.isFinite(value)),
      }));
    },
  };
}
