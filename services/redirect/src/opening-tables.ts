import { readFile, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/built-in-app-opening";
import type { Component } from "@tapthru/runtime/lifecycle";
import type { Logger } from "@tapthru/runtime/logger";
import { Counter, Gauge, type Registry } from "prom-client";

const LOOK_INTERVAL_MS = 2_000;
const FILE_MAX_BYTES = 262_144;

export interface OpeningTables extends Component {
  current(): AppOpeningTable;
  /** Takes what the file says now, if that is new and sound; else all stays as it was. */
  look(): Promise<void>;
}

/**
 * The strategy table in force: the built-in one until a file brings another. The file is read again and
 * again rather than watched: a mounted one changes by a symbolic link far above it.
 */
export function createOpeningTables(
  file: string | null,
  { logger, registry }: { logger: Logger; registry: Registry },
): OpeningTables {
  const inForce = new Gauge({
    name: "tapthru_app_opening_table_info",
    help: "1 for the version of the strategy table that is in force",
    labelNames: ["version"] as const,
    registers: [registry],
  });
  const refusals = new Counter({
    name: "tapthru_app_opening_table_refusals_total",
    help: "Changed strategy tables that were not taken, as they could not be read or are not sound",
    registers: [registry],
  });
  const stopped = new AbortController();
  let table = BUILT_IN_OPENING_TABLE;
  let seen = "";
  inForce.set({ version: table.version }, 1);

  async function look(): Promise<void> {
    if (file === null) return;
    const read = await readText(file);
    const content = "text" in read ? read.text : read.fault;
    if (content === seen) return;
    seen = content;
    const checked = "text" in read ? check(read.text) : read;
    if ("fault" in checked) {
      refusals.inc();
      logger.error(
        { event: "strategy_table_rejected", file, fault: checked.fault },
        "strategy table rejected",
      );
      return;
    }
    table = checked.table;
    inForce.reset();
    inForce.set({ version: table.version }, 1);
    logger.info(
      { event: "strategy_table_loaded", file, version: table.version },
      "strategy table loaded",
    );
  }

  async function keepLooking(): Promise<void> {
    while (!stopped.signal.aborted) {
      await delay(LOOK_INTERVAL_MS, undefined, { signal: stopped.signal, ref: false }).catch(
        () => {},
      );
      await look();
    }
  }

  return {
    name: "strategy table",
    current: () => table,
    look,
    async start() {
      await look();
      if (file !== null) void keepLooking();
    },
    async stop() {
      stopped.abort();
    },
  };
}

interface Fault {
  fault: string;
}

async function readText(file: string): Promise<{ text: string } | Fault> {
  try {
    const found = await stat(file);
    // Reading a pipe or a device may never end.
    if (!found.isFile()) return { fault: "no regular file" };
    if (found.size > FILE_MAX_BYTES) return { fault: `larger than ${FILE_MAX_BYTES} bytes` };
    return { text: await readFile(file, "utf8") };
  } catch (error) {
    return { fault: String(error) };
  }
}

function check(text: string): { table: AppOpeningTable } | Fault {
  try {
    const { data, error } = AppOpeningTable.safeParse(JSON.parse(text));
    return data === undefined ? { fault: error?.message ?? "" } : { table: data };
  } catch (error) {
    return { fault: String(error) };
  }
}
