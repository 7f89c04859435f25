import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createThrowawayDatabase } from "./testing/throwaway-database.ts";

const FOLDER = fileURLToPath(new URL("../schema", import.meta.url));
const HEAD = "-- Written by pnpm fix from a migrated database, to be read. The migrations have comments.";

/** The files by what is in the names of their tables, views and functions. A trigger's function is where its tables are, if that is one file. */
const SUBJECTS: readonly [file: string, names: RegExp][] = [
  ["identity", /^identity\./],
  ["experiments", /experiment/],
  ["patterns", /pattern/],
  ["labels", /label/],
  ["shared-pages", /shared|statement_keys/],
  ["channels", /channel/],
  ["clicks", /click|app_openings/],
  ["earnings", /earnings|amazon_ads/],
  ["imports", /import/],
  ["webhooks", /webhook|add_event|alert|digest/],
  ["domains", /domain/],
  ["certificates", /certificate|acme/],
  ["routing", /routing|(?<!re)store|assistants/],
  ["products", /product/],
  ["mass-changes", /mass_changes/],
  ["audit-log", /audit_log|activity|record_change|visible_columns/],
  ["users", /user|account|member|invitation|api_keys/],
  ["links", /link|code|redirect|recent_creates|idempotency|reports|report_/],
  ["others", /./],
];

/** Each statement, with the name of what it is about, and for a trigger's function the tables. */
const STATEMENTS = `
  WITH relation AS (
    SELECT oid, oid::regclass::text AS name, relkind, relacl FROM pg_class
    WHERE relnamespace::regnamespace::text IN ('public', 'identity') AND relkind IN ('r', 'p', 'v')
      AND NOT relispartition AND relname <> 'schema_migrations'
  ), function AS (
    SELECT oid, proname AS name, proacl, ARRAY(
      SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE tgfoid = pg_proc.oid) AS tables
    FROM pg_proc WHERE pronamespace::regnamespace::text = 'public'
  ), line AS (
    SELECT attrelid AS of, attnum::int AS place, concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN 'NOT NULL' END, CASE
        WHEN attidentity <> '' THEN 'GENERATED ALWAYS AS IDENTITY'
        WHEN attgenerated <> '' THEN 'GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED'
        ELSE 'DEFAULT ' || pg_get_expr(adbin, adrelid) END) AS line
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL SELECT conrelid, 10000, concat_ws(' ', 'CONSTRAINT', quote_ident(conname), pg_get_constraintdef(oid, true))
    FROM pg_constraint WHERE contype IN ('p', 'u', 'f', 'c', 'x')
  ), granted AS (
    SELECT name, 'ON ' || name AS what, grantee, privilege_type AS privilege FROM relation, aclexplode(relacl)
    UNION ALL SELECT name, 'ON ' || name, grantee, privilege_type || ' (' || string_agg(attname, ', ' ORDER BY attnum) || ')'
    FROM relation JOIN pg_attribute ON attrelid = oid, aclexplode(attacl) GROUP BY name, grantee, privilege_type
    UNION ALL SELECT name, 'ON FUNCTION ' || name, grantee, privilege_type
    FROM function, aclexplode(coalesce(proacl, acldefault('f', 10)))
  ), allowed AS (
    SELECT name, what, string_agg(privilege, ', ' ORDER BY privilege) AS privileges,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS role
    FROM granted WHERE grantee = 0 OR grantee::regrole::text LIKE 'tapthru\\_%' GROUP BY name, what, grantee
  ), statement (name, place, label, text, tables) AS (
    SELECT name, 1, '', CASE relkind WHEN 'v' THEN format(E'CREATE VIEW %s AS\\n%s', name, rtrim(pg_get_viewdef(oid), ';'))
      ELSE format(E'CREATE TABLE %s (\\n  %s\\n)%s', name, (SELECT string_agg(line, E',\\n  ' ORDER BY place, line)
        FROM line WHERE line.of = oid), ' PARTITION BY ' || pg_get_partkeydef(oid)) END, NULL::text[]
    FROM relation
    UNION ALL SELECT name, 2, pg_get_indexdef(indexrelid), pg_get_indexdef(indexrelid), NULL
    FROM relation JOIN pg_index ON indrelid = oid
    WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    UNION ALL SELECT name, 3, tgname, pg_get_triggerdef(pg_trigger.oid, true), NULL
    FROM relation JOIN pg_trigger ON tgrelid = relation.oid WHERE NOT tgisinternal
    UNION ALL SELECT name, 5, '', pg_get_functiondef(oid), tables FROM function
    UNION ALL SELECT name, 6, privileges, format('GRANT %s %s TO %s', privileges, what, string_agg(role, ', ' ORDER BY role)),
      (SELECT tables FROM function WHERE function.name = allowed.name)
    FROM allowed GROUP BY name, what, privileges
  )
  SELECT name, place, rtrim(text, E'\\n') || ';' AS text, coalesce(tables, '{}') AS tables FROM statement
  ORDER BY tables IS NOT NULL, name, place, label`;

const subjectOf = (name: string) => SUBJECTS.find(([, names]) => names.test(name))?.[0] ?? "";

/** What each statement has is left out. */
const OBVIOUS =
  /\bpublic\.|(?<=CREATE )OR REPLACE | USING btree(?= )|(?<= ON) ONLY(?= )|\n SET search_path TO '\$user', 'public'/g;

it.skipIf(process.env.TEST_IMAGES === "on")("the schema is as pnpm fix writes it, by subject", async () => {
  const database = await createThrowawayDatabase();
  onTestFinished(() => database.drop());
  const files = new Map(SUBJECTS.map(([subject]) => [subject, HEAD]));
  for (const { name, place, text, tables } of await database.rows(STATEMENTS)) {
    const subjects = new Set((tables as string[]).map(subjectOf));
    const [only = subjectOf(String(name))] = subjects.size === 1 ? subjects : [];
    const gap = place === 1 || place === 5 ? "\n\n" : "\n";
    files.set(only, files.get(only) + gap + String(text).replaceAll(OBVIOUS, ""));
  }
  for (const [subject, text] of files) await expect(`${text}\n`).toMatchFileSnapshot(`${FOLDER}/${subject}.sql`);
  mkdirSync(FOLDER, { recursive: true });
  const unknown = readdirSync(FOLDER).filter((file) => !files.has(file.replace(".sql", "")));
  expect(unknown).toEqual([]);
});
