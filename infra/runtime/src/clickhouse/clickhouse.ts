import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import * as z from "zod/mini";
import { createDependencyState } from "../dependency-state.ts";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { DurationHistogram } from "../metrics/durations.ts";
import { inChildSpan } from "../tracing/tracing.ts";
import { translateClickHouseError } from "./errors.ts";

export { ClickHouseUnavailableError } from "./errors.ts";

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

/** Connects with the first query. */
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
      const result = await inChildSpan("clickhouse", work);
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
