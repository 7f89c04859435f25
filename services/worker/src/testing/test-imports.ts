import type { TestDatabase } from "./test-database.ts";
import { addUser } from "./test-webhooks.ts";

interface TestLine {
  url: string;
  slug?: string;
  title?: string;
  nickname?: string;
  labels?: string[];
  expiresAt?: string;
  refusal?: string;
  replacement?: string;
}

/** Lines with the codes lamp-1, lamp-2 and so on, which lead to the same product. */
export function importLines(count: number): TestLine[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `https://www.amazon.com/dp/B08N5WRWNW?tag=me-20&th=${index}`,
    slug: `lamp-${index + 1}`,
  }));
}

/** Adds an import of a new user, as the api stores it. @returns its id */
export async function addImport(
  database: Pick<TestDatabase, "rows">,
  lines: readonly TestLine[],
  state: "ready" | "running" = "running",
): Promise<string> {
  const refused = lines.filter(({ refusal }) => refusal !== undefined).length;
  const [added] = await database.rows(
    `WITH import AS (
       INSERT INTO imports (
         user_id, format, state, started_at, progressed_at, line_count, link_count, replaced_count,
         refused_count, reading
       )
       VALUES ($5, 'table', $2, now(), now(), $3::int, $3::int - $4::int, 0, $4::int, '{}')
       RETURNING id
     ), line AS (
       INSERT INTO import_lines (
         import_id, line, url, slug, title, nickname, labels, expires_at, state, refusal, replacement
       )
       SELECT import.id, ordinality, value->>'url', value->>'slug', value->>'title',
         value->>'nickname',
         ARRAY(SELECT jsonb_array_elements_text(coalesce(value->'labels', '[]'))),
         (value->>'expiresAt')::timestamptz,
         CASE WHEN value ? 'refusal' THEN 'refused' ELSE 'pending' END, value->>'refusal',
         value->>'replacement'
       FROM import, jsonb_array_elements($1::jsonb) WITH ORDINALITY
     )
     SELECT id FROM import`,
    [JSON.stringify(lines), state, lines.length, refused, await addUser(database)],
  );
  return String(added?.id);
}

export function resultsOf({ rows }: Pick<TestDatabase, "rows">, importId: string) {
  return rows("SELECT * FROM import_lines WHERE import_id = $1 ORDER BY line", [importId]);
}
