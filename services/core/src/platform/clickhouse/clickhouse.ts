import { ClickHouseError, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Registry } from "prom-client";
import * as z from "zod/mini";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { DurationHistogram, registerDurations } from "../metrics/durations.ts";
import { registerGauge } from "../metrics/metrics.ts";

export interface ClickHouseOptions {
  /** Such as http://user:password@host:8123/database. */
  url: string;
  applicationName: string;
  timeoutMs: number;
  logger: Logger;
}

type Parameters = Record<string, unknown>;

/** Each method throws ClickHouseUnavailableError if ClickHouse is unavailable. */
export interface ClickHouse extends Component {
  /** Whether the last query succeeded; false before the first. */
  readonly isAvailable: boolean;
  readonly durations: DurationHistogram;
  /** `query` has placeholders such as {from:UInt32}. */
  rows<Row>(schema: z.ZodMiniType<Row>, query: string, parameters: Parameters): Promise<Row[]>;
  /** An insert with the token of an earlier one adds nothing. */
  insert(table: string, rows: readonly object[], token: string): Promise<void>;
  command(query: string, parameters?: Parameters): Promise<void>;
}

export function createClickHouse(options: ClickHouseOptions): ClickHouse {
  const { url, applicationName, timeoutMs, logger } = options;
  const client = createClient({
    url,
    application: applicationName,
    request_timeout: timeoutMs,
    compression: { request: true, response: true },
    // Its messages have the address.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      max_execution_time: timeoutMs / 1_000,
      output_format_json_quote_64bit_integers: 0,
    },
  });
  const state = createDependencyState(logger, "clickhouse");
  const durations = new DurationHistogram();
  const durationOf = {
    ok: durations.add({ outcome: "ok" }),
    failed: durations.add({ outcome: "failed" }),
  };

  async function run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    let outcome: keyof typeof durationOf = "failed";
    try {
      const result = await work();
      outcome = "ok";
      state.available();
      return result;
    } catch (error) {
      const translated = translateClickHouseError(error);
      if (translated !== error) state.unavailable(error);
      throw translated;
    } finally {
      durationOf[outcome].observeSince(since);
    }
  }

  return {
    name: "clickhouse",
    durations,
    get isAvailable() {
      return state.wasReached && !state.isUnavailable;
    },
    async rows(schema, query, parameters) {
      const found = await run(async () => {
        const format = "JSONEachRow";
        const result = await client.query({ query, query_params: parameters, format });
        return result.json();
      });
      return z.parse(z.array(schema), found);
    },
    async insert(table, rows, token) {
      await run(() =>
        client.insert({
          table,
          values: rows,
          format: "JSONEachRow",
          clickhouse_settings: { insert_deduplication_token: token, async_insert: 0 },
        }),
      );
    },
    async command(query, parameters) {
      await run(() => client.command({ query, ...(parameters && { query_params: parameters }) }));
    },
    stop: () => client.close(),
  };
}

/** ClickHouse did not do the work, or its response was lost: an insert may have been executed. */
export class ClickHouseUnavailableError extends Error {
  override readonly name = "ClickHouseUnavailableError";
}

/**
 * The codes of ClickHouse's errors that mean that a query is wrong, not that the server cannot execute it: syntax, unknown
 * names and types. https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const QUERY_ERRORS = new Set([6, 27, 36, 42, 43, 46, 47, 50, 53, 62, 184, 386]);

/** Without details of the connection: its URL has a password. */
function translateClickHouseError(error: unknown): unknown {
  if (error instanceof ClickHouseError && QUERY_ERRORS.has(Number(error.code))) return error;
  return new ClickHouseUnavailableError("ClickHouse is unavailable", { cause: error });
}

/** Registers metrics of ClickHouse: availability and latency. */
export function registerClickHouseMetrics(
  registry: Registry,
  clickHouse: Pick<ClickHouse, "isAvailable" | "durations">,
): void {
  registerGauge(registry, { name: "tapthru_clickhouse_up", help: "1 if ClickHouse responded to the last query" }, () =>
    Number(clickHouse.isAvailable),
  );
  registerDurations(
    registry,
    {
      name: "tapthru_clickhouse_request_duration_seconds",
      help: "Duration of a query or insert in ClickHouse, by result",
    },
    [clickHouse.durations],
  );
}
