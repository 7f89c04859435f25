import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "./migrate.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";

const serverUrl = process.env.TEST_DATABASE_URL ?? "";
let database: ThrowawayDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createThrowawayDatabase(serverUrl);
  client = await connect(database.url);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString });
  await connected.connect();
  return connected;
}

const link = `INSERT INTO links (original_url, deep_link, web_url, short_code)
  VALUES ('https://amazon.de/dp/B000000001', $1, $2, $3)`;
const deepLink = "https://t.example/redirect?product_id=B000000001&original_url=x";
const webUrl = "https://amazon.de/dp/B000000001";

describe("migrate", () => {
  it("has nothing to do the second time", async () => {
    expect(await migrate({ databaseUrl: database.url })).toEqual([]);
  });

  it("lets two migrations run at once: one applies, one retries", async () => {
    const name = `test_twice_${process.pid}`;
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    try {
      const run = () => migrate({ databaseUrl: url.href });
      const [one, other] = await Promise.all([run(), run()]);
      const applied = [one, other].map((names) => names.length).sort();
      expect(applied[0]).toBe(0);
      expect(applied[1]).toBeGreaterThan(0);
    } finally {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it("gives users the fields of the specification, all required, and a nullable key", async () => {
    const { rows } = await client.query(
      `SELECT column_name, data_type, is_nullable FROM information_schema.columns
       WHERE table_name = 'users' ORDER BY ordinal_position`,
    );
    expect(rows.map((row) => [row.column_name, row.data_type, row.is_nullable])).toEqual([
      ["id", "integer", "NO"],
      ["username", "text", "NO"],
      ["email", "text", "NO"],
      ["firebase_uid", "text", "NO"],
      ["created_at", "timestamp with time zone", "NO"],
      ["username_lookalike_key", "text", "YES"],
      ["email_is_verified", "boolean", "NO"],
    ]);
  });

  it("requires the fields of a link that the specification requires", async () => {
    const { rows } = await client.query(
      `SELECT column_name FROM information_schema.columns
       WHERE table_name = 'links' AND is_nullable = 'NO' ORDER BY ordinal_position`,
    );
    expect(rows.map((row) => row.column_name)).toEqual([
      "id",
      "original_url",
      "deep_link",
      "web_url",
      "short_code",
      "created_at",
      "revision",
      "product_revision",
      "has_earlier_codes",
    ]);
  });
});

describe("constraints", () => {
  it.each([
    [
      "users_username_key",
      "INSERT INTO users (username, email, firebase_uid) VALUES ('a', $1, $1)",
    ],
    [
      "users_email_key",
      "INSERT INTO users (username, email, firebase_uid, email_is_verified) VALUES ($1, 'a', $1, true)",
    ],
    [
      "users_firebase_uid_key",
      "INSERT INTO users (username, email, firebase_uid) VALUES ($1, $1, 'a')",
    ],
  ])("%s refuses a second user of the same", async (constraint, insert) => {
    await client.query("TRUNCATE users CASCADE");
    await client.query(insert, ["one"]);
    await expect(client.query(insert, ["two"])).rejects.toMatchObject({ constraint });
  });

  it("refuses a second link of the same code", async () => {
    await client.query(link, [deepLink, webUrl, "aaaaaaa"]);
    await expect(client.query(link, [deepLink, webUrl, "aaaaaaa"])).rejects.toMatchObject({
      constraint: "links_short_code_key",
    });
  });

  it.each([
    ["links_deep_link_has_product_id", ["https://t.example/redirect", webUrl, "bbbbbbb"]],
    ["links_web_url_https", [deepLink, "http://amazon.de/dp/B000000001", "ccccccc"]],
  ])("refuses by %s", async (constraint, values) => {
    await expect(client.query(link, values)).rejects.toMatchObject({ constraint });
  });

  it("refuses a link of an unknown user", async () => {
    await expect(
      client.query(`UPDATE links SET user_id = 2147483647 WHERE short_code = 'aaaaaaa'`),
    ).rejects.toMatchObject({ constraint: "links_user_id_fkey" });
  });
});

describe("roles", () => {
  it.each([
    ["tapthru_redirect", "UPDATE links SET title = 'x'"],
    ["tapthru_redirect", "INSERT INTO retired_codes VALUES ('ddddddd', 'deleted', 1)"],
    ["tapthru_redirect", "SELECT email FROM users"],
    ["tapthru_redirect", "SELECT user_id FROM links"],
    ["tapthru_redirect", "SELECT projected_at FROM link_changes"],
    ["tapthru_redirect", "CREATE TABLE mine (id integer)"],
    ["tapthru_worker", "SELECT email FROM users"],
    ["tapthru_api", "SELECT due_digests(0, 1, now(), now())"],
    ["tapthru_worker", "INSERT INTO retired_codes SELECT FROM users"],
    ["tapthru_api", "SELECT 1 FROM link_changes"],
    ["tapthru_api", "DELETE FROM retired_codes"],
  ] as const)("%s may not: %s", async (group, statement) => {
    const service = await connect(await database.urlAs(group));
    try {
      await expect(service.query(statement)).rejects.toMatchObject({ code: "42501" });
    } finally {
      await service.end();
    }
  });

  it.each([
    ["tapthru_redirect", "SELECT record FROM redirect_records"],
    ["tapthru_redirect", "SELECT short_code, revision FROM link_changes WHERE id > 1"],
    ["tapthru_worker", "DELETE FROM recent_creates WHERE created_at < now()"],
    ["tapthru_api", "INSERT INTO link_changes (short_code, revision) VALUES ('fffffff', 1)"],
  ] as const)("%s may: %s", async (group, statement) => {
    const service = await connect(await database.urlAs(group));
    try {
      await expect(service.query(statement)).resolves.toBeDefined();
    } finally {
      await service.end();
    }
  });
});
