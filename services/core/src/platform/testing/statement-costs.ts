import * as z from "zod/mini";
import { knownCaller } from "../postgres/statement-callers.ts";
import type { LogLine } from "./test-logger.ts";

/** Pages of tables and indexes, of 8 kB each, that one statement may read, also from the memory of Postgres. */
const MAX_BUFFERS = 20_000;

interface Database {
  rows(statement: string): Promise<Record<string, unknown>[]>;
}

/** From now on Postgres logs what each statement reads, also those in functions and triggers. Services connect again for that. */
export async function explainStatements({ rows }: Database): Promise<void> {
  const settings = {
    session_preload_libraries: "auto_explain",
    client_min_messages: "log",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
    "auto_explain.log_parameter_max_length": "100",
  };
  const [{ name } = {}] = await rows("SELECT current_database() AS name");
  for (const [setting, value] of Object.entries(settings))
    await rows(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await rows(`
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}' AND usename LIKE '${name}%'
  `);
}

const Explained = z.object({
  "Query Text": z.string(),
  Plan: z.object({ "Shared Hit Blocks": z.int(), "Shared Read Blocks": z.int() }),
});

const NOTICE = /^duration: ([\d.]+) ms {2}plan:\n/;

/** The functions whose statements read more than a statement may, or the text of those in functions of Postgres, without those in `exempt`. */
export function costlyStatements(lines: readonly LogLine[], exempt: Readonly<Record<string, string>> = {}): string[] {
  return lines.flatMap(({ event, msg }) => {
    if (event !== "postgres_notice" || !NOTICE.test(msg)) return [];
    const { "Query Text": text, Plan: plan } = z.parse(Explained, JSON.parse(msg.replace(NOTICE, "")));
    const buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    const caller = knownCaller(text) ?? text.trim().replaceAll(/\s+/g, " ").slice(0, 80);
    return buffers <= MAX_BUFFERS || caller in exempt ? [] : [`${caller}: ${buffers} buffers`];
  });
}
