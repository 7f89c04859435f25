import { readFile, stat } from "node:fs/promises";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { pause } from "@tapthru/core/platform/waiting";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { Counter, Gauge, type Registry } from "prom-client";

const POLL_INTERVAL_MS = 2_000;
const FILE_MAX_BYTES = 262_144;

export interface StrategyTableLoader extends Component {
  current(): AppOpeningTable;
  /** Reads the file. The table changes only if the content is new and valid. */
  reload(): Promise<void>;
}

/**
 * Provides the strategy table: the file's last valid one, or else the built-in one. The file is polled, not watched,
 * because Kubernetes replaces a mounted file through a symbolic link in a parent directory.
 */
export function createStrategyTableLoader(
  file: string | null,
  { logger, registry }: { logger: Logger; registry: Registry },
): StrategyTableLoader {
  const activeVersion = new Gauge({
    name: "tapthru_app_opening_table_info",
    help: "Always 1; the label is the version of the strategy table in use",
    labelNames: ["version"] as const,
    registers: [registry],
  });
  const rejections = new Counter({
    name: "tapthru_app_opening_table_refusals_total",
    help: "Changed strategy tables that were rejected because they are unreadable or invalid",
    registers: [registry],
  });
  const stopped = new AbortController();
  let table = BUILT_IN_OPENING_TABLE;
  let lastContent = "";
  let polling = Promise.resolve();
  activeVersion.set({ version: table.version }, 1);

  async function reload(): Promise<void> {
    if (file === null) return;
    const read = await readText(file);
    const content = "text" in read ? read.text : read.reason;
    if (content === lastContent) return;
    lastContent = content;
    const result = "text" in read ? parseTable(read.text) : read;
    if ("reason" in result) {
      rejections.inc();
      logger.error({ event: "strategy_table_rejected", file, reason: result.reason }, "strategy table rejected");
      return;
    }
    table = result.table;
    activeVersion.reset();
    activeVersion.set({ version: table.version }, 1);
    logger.info({ event: "strategy_table_loaded", file, version: table.version }, "strategy table loaded");
  }

  async function poll(): Promise<void> {
    for (;;) {
      await pause(POLL_INTERVAL_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      await reload();
    }
  }

  return {
    name: "strategy table",
    current: () => table,
    reload,
    async start() {
      await reload();
      if (file !== null) polling = poll();
    },
    async stop() {
      stopped.abort();
      await polling;
    },
  };
}

interface Rejection {
  reason: string;
}

async function readText(file: string): Promise<{ text: string } | Rejection> {
  try {
    const stats = await stat(file);
    // Reading from a pipe or a device may block forever.
    if (!stats.isFile()) return { reason: "not a regular file" };
    if (stats.size > FILE_MAX_BYTES) return { reason: `larger than ${FILE_MAX_BYTES} bytes` };
    return { text: await readFile(file, "utf8") };
  } catch (error) {
    return { reason: String(error) };
  }
}

function parseTable(text: string): { table: AppOpeningTable } | Rejection {
  try {
    const { data, error } = AppOpeningTable.safeParse(JSON.parse(text));
    return data === undefined ? { reason: error?.message ?? "" } : { table: data };
  } catch (error) {
    return { reason: String(error) };
  }
}
