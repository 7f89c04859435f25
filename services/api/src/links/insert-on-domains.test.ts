import { NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import type { NewLink } from "@tapthru/core/links/plan-link";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createRootLink } from "../domains/root-link.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

const HOST = "go.anna.example";
const originalUrl = "https://www.amazon.de/shop/anna";
const page = parseStorePage(originalUrl);
if (page === null) throw new Error(originalUrl);
const destination = { originalUrl, page };

let api: TestApi;
let owner: { userId: number };
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.empty();
  await api.query("TRUNCATE link_codes");
  owner = await addUser("anna");
});

async function addUser(name: string) {
  const [user] = await api.query(
    `INSERT INTO users (username, email, firebase_uid) VALUES ('${name}', '${name}@t.example', '${name}') RETURNING id`,
  );
  return { userId: Number(user?.id) };
}

async function insert(...links: Pick<NewLink, "slug" | "domain">[]) {
  const results = await createLinks(
    api.context,
    { ...owner, channels: NO_CHANNELS, domain: null },
    links.map((fields) => ({ destination, ...fields })),
    ID_AND_CODE,
  );
  return results.map((result) => (result === "slug-taken" ? result : result.row.shortCode));
}

const insertRoot = ({ userId } = owner, db: Db<"transaction"> = api.context.db) =>
  createRootLink({ ...api.context, db }, { userId, host: HOST }, destination);
const recordOf = async (code: string) =>
  (await api.query(`SELECT record FROM redirect_records WHERE short_code = '${code}'`)).map(({ record }) => record);

describe("links that are inserted on a domain", () => {
  it("have their name and host as short code", async () => {
    expect(await insert({ slug: "mug", domain: HOST }, { domain: HOST }, { domain: null })).toEqual([
      `mug@${HOST}`,
      expect.stringMatching(/^[a-z2-9]{7}@go\.anna\.example$/),
      expect.stringMatching(/^[a-z2-9]{7}$/),
    ]);
    expect(await api.query("SELECT short_code FROM link_codes")).toEqual([{ short_code: `mug@${HOST}` }]);
  });

  it("can have the name of a link on another host, and not one of the same host", async () => {
    const names = [{ domain: HOST }, { domain: null }, { domain: "other.example" }];
    const sameName = names.map((fields) => ({ slug: "mug", ...fields }));
    const codes = [`mug@${HOST}`, "mug", "mug@other.example"];
    const taken = ["slug-taken", "slug-taken", "slug-taken"];
    expect(await insert(...sameName, ...sameName)).toEqual([...codes, ...taken]);
    expect(await insert(...sameName)).toEqual(taken);
  });
});

describe("the root link of a domain", () => {
  it("is the only one", async () => {
    expect(await insertRoot()).toMatchObject({ shortCode: `@${HOST}` });
    expect(await insertRoot()).toBe("slug-taken");
    expect(await api.query("SELECT short_code, revision FROM link_changes")).toEqual([
      { short_code: `@${HOST}`, revision: 1 },
    ]);
  });

  it("keeps its code while another one is inserted at the same time", async () => {
    await api.query(`INSERT INTO retired_codes VALUES ('@${HOST}', 'deleted', 5)`);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%release_root_code%'`;
    const second = await api.context.db.transaction(async (transaction) => {
      await insertRoot(owner, transaction);
      const inserted = insertRoot();
      await vi.waitFor(async () => expect(await api.query(waiting)).toHaveLength(1));
      return { inserted };
    });
    expect(await second.inserted).toBe("slug-taken");
    expect(await api.query("SELECT short_code FROM link_codes")).toEqual([{ short_code: `@${HOST}` }]);
  });

  it.each([
    ["deleted", `INSERT INTO retired_codes VALUES ('@${HOST}', 'deleted', 5); DELETE FROM links`, 6],
    ["moved to another code", "UPDATE links SET short_code = 'moved22', has_earlier_codes = true, revision = 3", 4],
  ])("replaces one that was %s, also of another user, with a newer record", async (_how, statement, revision) => {
    await insertRoot();
    await api.query(statement);
    expect(await insertRoot(await addUser("bob"))).toMatchObject({ shortCode: `@${HOST}` });
    expect(await recordOf(`@${HOST}`)).toMatchObject([{ state: "live", revision }]);
    const changes = await api.query("SELECT short_code, revision FROM link_changes ORDER BY id");
    expect(changes.at(-1)).toEqual({ short_code: `@${HOST}`, revision });
    await api.query("UPDATE links SET revision = revision + 1 WHERE short_code = 'moved22'");
    expect(await recordOf(`@${HOST}`)).toMatchObject([{ revision }]);
  });
});
