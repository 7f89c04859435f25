import type { TestApi } from "./test-api.ts";

/** From now on each statement that changes the link fails as if it took too long. */
export async function letChangeFail({ query }: Pick<TestApi, "query">, id: number): Promise<void> {
  await query(`
    CREATE FUNCTION fail_link_${id}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'too slow' USING ERRCODE = 'query_canceled';
    END $$;
    CREATE TRIGGER fail_link_${id} AFTER UPDATE ON all_links FOR EACH ROW WHEN (NEW.id = ${id})
      EXECUTE FUNCTION fail_link_${id}();
  `);
}
