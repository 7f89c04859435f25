import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { startWorld } from "../testing/world.ts";
import { createRootLink } from "./root-link.ts";

const HOST = "go.anna.example";
const originalUrl = "https://www.amazon.de/shop/anna";
const page = parseStorePage(originalUrl);
if (page === null) throw new Error(originalUrl);
const destination = { originalUrl, page };

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_codes, link_changes, retired_codes CASCADE"));

const insertRoot = ({ user } = ada, db: Db<"transaction"> = api.context.db) =>
  createRootLink({ ...api.context, db }, { userId: user.id, host: HOST }, destination);
const recordOf = async (code: string) =>
  (await api.query(`SELECT record FROM redirect_records WHERE short_code = '${code}'`)).map(({ record }) => record);

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
      await insertRoot(ada, transaction);
      const inserted = insertRoot();
      await eventually(async () => expect(await api.query(waiting)).toHaveLength(1));
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
    expect(await insertRoot(eve)).toMatchObject({ shortCode: `@${HOST}` });
    expect(await recordOf(`@${HOST}`)).toMatchObject([{ state: "live", revision }]);
    const changes = await api.query("SELECT short_code, revision FROM link_changes ORDER BY id");
    expect(changes.at(-1)).toEqual({ short_code: `@${HOST}`, revision });
    await api.query("UPDATE links SET revision = revision + 1 WHERE short_code = 'moved22'");
    expect(await recordOf(`@${HOST}`)).toMatchObject([{ revision }]);
  });
});
