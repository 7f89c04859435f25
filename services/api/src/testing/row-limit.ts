import { onTestFinished } from "vitest";
import type { TestApi } from "./test-api.ts";

/** During a test each statement that inserts or deletes more than `max` rows of the table fails. */
export async function limitRowsPerStatement(
  { query }: Pick<TestApi, "query">,
  table: string,
  max: { inserted: number; deleted: number },
): Promise<void> {
  for (const [event, rows] of [
    ["INSERT", "NEW"],
    ["DELETE", "OLD"],
  ] as const) {
    const limit = event === "INSERT" ? max.inserted : max.deleted;
    const name = `limit_${event}_of_${table}`.toLowerCase();
    onTestFinished(async () => void (await query(`DROP FUNCTION ${name} CASCADE`)));
    await query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM changed) > ${limit} THEN RAISE 'too many rows'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER ${name} AFTER ${event} ON ${table}
        REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${name}();
    `);
  }
}
