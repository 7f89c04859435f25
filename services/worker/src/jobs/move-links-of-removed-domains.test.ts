import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { SHORT_CODE_LENGTH, SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import { beforeEach, describe, expect, it } from "vitest";
import { addLinks, NEVER, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { addUser } from "../testing/test-webhooks.ts";
import { moveLinksOfRemovedDomains, releaseDomain } from "./move-links-of-removed-domains.ts";

const HOST = "go.anna.example";

const database = await useDatabase("link_codes", "abuse_reports", "idempotency_keys");
const { rows } = database;
let anna: number;
let bob: number;

beforeEach(async () => {
  anna = await addUser(database);
  bob = await addUser(database);
});

async function addOwnLinks(...codes: string[]) {
  for (const code of codes) await addLinks(database, { name: code, count: 1, withChange: false });
  await rows(
    `WITH own AS (
       UPDATE links SET user_id = $2, expires_at = NULL, short_code = left(short_code, -1)
       WHERE short_code = ANY($1) RETURNING id, short_code
     ) INSERT INTO link_codes (short_code, link_id) SELECT short_code, id FROM own`,
    [codes.map((code) => `${code}1`), anna],
  );
}
async function addMany(count: number) {
  await addLinks(database, { name: "n", count, withChange: false });
  await rows(
    `UPDATE links SET user_id = $1, expires_at = NULL, short_code = short_code || '@${HOST}' WHERE short_code LIKE 'n%'`,
    [anna],
  );
}
const addDomain = (userId: number, values = "now(), NULL") =>
  rows(`INSERT INTO domains (user_id, host, proof, verified_at, off_at) VALUES ($1, '${HOST}', '', ${values})`, [
    userId,
  ]);
const setOwner = (userId: number) =>
  rows(
    `INSERT INTO domain_owners VALUES ($1, $2)
     ON CONFLICT (host) DO UPDATE SET user_id = excluded.user_id`,
    [HOST, userId],
  );
const rename = (from: string, to: string) =>
  rows(
    `WITH code AS (
       INSERT INTO link_codes (short_code, link_id) SELECT $2, id FROM links WHERE short_code = $1
     ) UPDATE links SET short_code = $2, has_earlier_codes = true, revision = revision + 1
     WHERE short_code = $1`,
    [from, to],
  );
const { logger } = createTestLogger();
const move = () => workNow({ db: database.db, logger }, moveLinksOfRemovedDomains);
const release = (signal = NEVER) => releaseDomain(database.db, HOST, bob, signal);
const codes = async () => (await rows("SELECT short_code FROM links ORDER BY id")).map((row) => row.short_code);
const changes = () => rows("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY id");
async function stateOf(code: string) {
  const found = await rows("SELECT record FROM redirect_records WHERE short_code = $1", [code]);
  expect(found.length).toBeLessThanOrEqual(1);
  return (found[0]?.record as { state: string } | undefined)?.state ?? "unknown";
}

it("a deleted link of a domain that goes to another user moves too, so that it does not open there if it is restored", async () => {
  await addOwnLinks(`mug@${HOST}`);
  await rows("UPDATE all_links SET deleted_at = now(), revision = revision + 1 WHERE user_id = $1", [anna]);
  await setOwner(bob);
  await addDomain(bob);
  await release();
  await rows("UPDATE all_links SET deleted_at = NULL, revision = revision + 1 WHERE user_id = $1", [anna]);
  const [code] = await codes();
  expect([code, await stateOf(String(code)), await stateOf(`mug@${HOST}`)]).toEqual([
    expect.stringMatching(SHORT_CODE_PATTERN),
    "live",
    "gone",
  ]);
});

describe("a removed domain", () => {
  it("leaves its links, also the root link, on the site's own host, where their earlier codes keep working", async () => {
    await addOwnLinks(`mug@${HOST}`, `@${HOST}`, "lamp");
    await move();
    const [mug, root, lamp] = await codes();
    expect(lamp).toBe("lamp");
    for (const code of [mug, root]) {
      expect(code).toMatch(SHORT_CODE_PATTERN);
      expect(code).toHaveLength(SHORT_CODE_LENGTH);
    }
    for (const code of [mug, `mug@${HOST}`, root, `@${HOST}`]) expect(await stateOf(String(code))).toBe("live");
    expect(new Set((await changes()).map((row) => JSON.stringify(row)))).toEqual(
      new Set([mug, `mug@${HOST}`, root, `@${HOST}`].map((short_code) => JSON.stringify({ short_code, revision: 2 }))),
    );
  });

  it("leaves a link under the last code that it had on the site's own host", async () => {
    await addOwnLinks("lamp");
    await rename("lamp", "summer-lamp");
    await rename("summer-lamp", `lamp@${HOST}`);
    await rows("UPDATE link_codes SET created_at = now() + interval '1 s' WHERE short_code = 'summer-lamp'");
    await move();
    expect(await codes()).toEqual(["summer-lamp"]);
    for (const code of ["lamp", `lamp@${HOST}`]) expect(await stateOf(code)).toBe("live");
  });

  it("moves what refers to the codes of its links", async () => {
    await addOwnLinks(`mug@${HOST}`);
    await rows(
      `INSERT INTO abuse_reports (short_code, reason) SELECT short_code, 'spam' FROM links;
       INSERT INTO idempotency_keys (key_hash, request_hash, short_code) SELECT '', '', short_code FROM links`,
    );
    await move();
    const [short_code] = await codes();
    expect(await rows("SELECT short_code FROM abuse_reports")).toEqual([{ short_code }]);
    expect(await rows("SELECT short_code FROM idempotency_keys")).toEqual([{ short_code }]);
  });

  it("moves each link once, in batches, and nothing when it is repeated or runs twice at once", async () => {
    await addMany(1_001);
    await Promise.all([move(), move()]);
    await move();
    expect((await codes()).filter((code) => String(code).includes("@"))).toEqual([]);
    expect(await changes()).toHaveLength(2 * 1_001);
  });
});

it.each([
  ["verified", "now(), NULL"],
  ["pending", "NULL, NULL"],
])("links stay on a domain that is %s", async (_state, values) => {
  await addDomain(anna, values);
  await addOwnLinks(`mug@${HOST}`, `mug@${HOST}.other`);
  await move();
  expect(await codes()).toEqual([`mug@${HOST}`, expect.not.stringContaining("@")]);
  await addDomain(bob, "NULL, NULL");
  await move();
  expect((await codes())[0]).toBe(`mug@${HOST}`);
});

describe("a domain that goes to another user", () => {
  beforeEach(async () => {
    await setOwner(bob);
    await addDomain(anna, "now(), now()");
    await addOwnLinks(`mug@${HOST}`, `@${HOST}`, "lamp");
    await rename("lamp", `lamp@${HOST}`);
    await rename(`lamp@${HOST}`, `lamp-2@${HOST}`);
    await rename(`lamp-2@${HOST}`, "lamp-2");
  });
  const onHost = ["mug", "", "lamp", "lamp-2"].map((name) => `${name}@${HOST}`);

  it("keeps its codes if it went back to its user meanwhile", async () => {
    const before = await codes();
    await setOwner(anna);
    await release();
    expect(await codes()).toEqual(before);
    expect(await stateOf(`mug@${HOST}`)).toBe("live");
  });

  it("releases the codes of the earlier user, whose links open on the site's own host", async () => {
    await release();
    for (const code of onHost) expect(await stateOf(code)).toBe("gone");
    for (const code of await codes()) {
      expect(code).not.toContain("@");
      expect(await stateOf(String(code))).toBe("live");
    }
    expect(await stateOf("lamp")).toBe("live");
  });

  it("records a change for each code that is newer than its last record", async () => {
    await rows("UPDATE links SET revision = 7 WHERE id = (SELECT link_id FROM link_codes WHERE short_code = $1)", [
      `mug@${HOST}`,
    ]);
    await release();
    const last = new Map((await changes()).map((row) => [row.short_code, row.revision]));
    expect(onHost.map((code) => last.get(code))).toEqual([9, 3, 5, 5]);
  });

  it("keeps the links of the new user, and nothing changes when it is repeated", async () => {
    await release();
    await addDomain(bob);
    await addOwnLinks(`cup@${HOST}`);
    await rows("UPDATE links SET user_id = $1 WHERE short_code = $2", [bob, `cup@${HOST}`]);
    const before = await changes();
    await release();
    await move();
    expect(await changes()).toEqual(before);
    expect(await stateOf(`cup@${HOST}`)).toBe("live");
  });

  it("a domain that changes hands also loses a link that the earlier user added during the change", async () => {
    await release();
    await addDomain(bob);
    await addOwnLinks(`late@${HOST}`);
    await move();
    expect(await stateOf(`late@${HOST}`)).toBe("gone");
  });

  it("has none of more codes than a batch, and all of them when the worker stops before", async () => {
    await addMany(501);
    await expect(release(AbortSignal.abort())).rejects.toThrow();
    expect(await stateOf(`n1@${HOST}`)).toBe("live");
    await release();
    expect((await codes()).filter((code) => String(code).includes("@"))).toEqual([]);
  });
});
