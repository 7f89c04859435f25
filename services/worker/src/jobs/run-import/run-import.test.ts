import type { Resolution } from "@tapthru/core/platform/safe-fetch/follow-short-link";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeFail, NEVER, useDatabase } from "../../testing/test-database.ts";
import { addImport, importLines, resultsOf } from "../../testing/test-imports.ts";
import { limitResolutions, retryDelayMs } from "./resolve-lines.ts";
import { runImport } from "./run-import.ts";

const LAMP = "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20";

const database = await useDatabase("link_codes");
const { rows } = database;
let resolutions: Map<string, Resolution>;
let requested: string[];
let afterBatch: () => void;

beforeEach(async () => {
  resolutions = new Map();
  requested = [];
  afterBatch = () => {};
});

const run = (importId: string, signal = NEVER) =>
  runImport(
    {
      db: {
        ...database.db,
        async transaction(work) {
          const result = await database.db.transaction(work);
          afterBatch();
          return result;
        },
      },
      logger: createTestLogger().logger,
      publicBaseUrl: "https://t.example",
      async resolveShortLink(url) {
        requested.push(url);
        return resolutions.get(url) ?? { kind: "too-slow" };
      },
    },
    { importId },
    { signal },
  );
/** Adds a link of the only user that is older than the import. */
const addLink = (code: string, url: string, nickname: string | null = null, age = "1 day") =>
  rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, nickname, created_at)
     SELECT $1, $2, $2, 'https://t.example/redirect?product_id=B08N5WRWNW', id, $3, now() - $4::interval FROM users`,
    [code, url, nickname, age],
  );
/** What became of each line, such as "refused: expired". */
const outcomes = async (id: string) =>
  (await resultsOf(database, id)).map(({ state, refusal }) => [state, refusal].filter(Boolean).join(": "));
const stateOf = async (id: string) => (await rows("SELECT * FROM imports WHERE id = $1", [id]))[0];

it("creates the links of all lines, with their outbox rows and products", async () => {
  const id = await addImport(database, [
    { url: LAMP, slug: "lamp", title: "A lamp", nickname: "lamp", expiresAt: "2999-01-01T00:00:00Z" },
    { url: `${LAMP}&th=1`, slug: "login", replacement: "slug-reserved" },
    { url: "https://example.com", refusal: "not-an-amazon-link" },
  ]);
  await run(id);
  expect(
    await rows(
      `SELECT short_code, original_url, web_url, deep_link, title, nickname, expires_at IS NULL AS endless
       FROM links ORDER BY web_url`,
    ),
  ).toMatchObject([
    {
      short_code: "lamp",
      original_url: LAMP,
      web_url: LAMP,
      deep_link: expect.stringContaining("https://t.example/redirect?product_id=B08N5WRWNW"),
      title: "A lamp",
      nickname: "lamp",
      endless: false,
    },
    { short_code: expect.stringMatching(/^[2-9a-z]{7}$/), title: null, endless: true },
  ]);
  expect(await rows("SELECT FROM link_changes WHERE short_code !~ '^~'")).toHaveLength(2);
  expect(await rows("SELECT canonical_url FROM products")).toHaveLength(1);
  expect(await resultsOf(database, id)).toMatchObject([
    { line: 1, state: "created", short_code: "lamp", replacement: null },
    { line: 2, state: "created", replacement: "slug-reserved" },
    { line: 3, state: "refused", refusal: "not-an-amazon-link" },
  ]);
  expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 2, link_count: 2 });
});

it("puts the labels of their user on links", async () => {
  const lines = [{ url: LAMP, slug: "shelf", labels: ["Gifts", "home", "Removed"] }];
  const id = await addImport(database, lines);
  await rows(
    `INSERT INTO labels (user_id, name, name_key, colour)
     SELECT id, name, lower(name), 'red' FROM users, unnest(ARRAY['gifts', 'Home', 'Other']) AS name`,
  );
  await run(id);
  expect(
    await rows(
      `SELECT short_code, name FROM link_labels JOIN links ON links.id = link_id
       JOIN labels ON labels.id = label_id ORDER BY lower(name)`,
    ),
  ).toEqual([
    { short_code: "shelf", name: "gifts" },
    { short_code: "shelf", name: "Home" },
  ]);
});

it("gives a link a new code if its own was taken after the preview, or is while the batch is inserted", async () => {
  const id = await addImport(database, importLines(4));
  await rows("INSERT INTO retired_codes (short_code, reason, revision) VALUES ('lamp-4', 'deleted', 1)");
  const other = await database.connect();
  await other.query("BEGIN");
  await other.query("INSERT INTO link_codes (short_code, link_id) VALUES ('lamp-2', 1)");
  const imported = run(id);
  await vi.waitFor(async () => {
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    expect(await rows(waiting)).toHaveLength(1);
  }, 60_000);
  await other.query("COMMIT");
  await imported;
  const replaced = { short_code: expect.not.stringContaining("lamp"), replacement: "slug-taken" };
  expect(await resultsOf(database, id)).toMatchObject([
    { short_code: "lamp-1", replacement: null },
    replaced,
    { short_code: "lamp-3", replacement: null },
    replaced,
  ]);
  expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 4, replaced_count: 2 });
});

it.each([
  [
    "the domain of the import",
    false,
    ["mug@go.a.example", "login@go.a.example", "cup@go.c.example", "tea@go.a.example"],
  ],
  [
    "the site's own host if it can no longer be used",
    true,
    ["mug", expect.stringMatching(/^[2-9a-z]{7}$/), "cup@go.c.example", "tea"],
  ],
])(
  "creates links on %s, and on the own domains that they have in the file while these can be used",
  async (_, isOff, codes) => {
    const id = await addImport(
      database,
      ["mug", "login", "cup", "tea"].map((slug, n) => ({ url: `${LAMP}&th=${n}`, slug })),
    );
    await rows(
      `WITH import AS (UPDATE imports SET domain = 'go.a.example' WHERE id = $1 RETURNING user_id), line AS (
       UPDATE import_lines SET domain = (ARRAY[NULL, NULL, 'go.c.example', 'off.c.example'])[line] WHERE import_id = $1
     )
     INSERT INTO domains (user_id, host, proof, verified_at, off_at)
     SELECT user_id, host, '', now(), CASE WHEN host = 'off.c.example' OR $2 AND host = 'go.a.example' THEN now() END
     FROM import, unnest(ARRAY['go.a.example', 'go.c.example', 'off.c.example']) AS host`,
      [id, isOff],
    );
    await run(id);
    expect((await resultsOf(database, id)).map(({ short_code }) => short_code)).toEqual(codes);
  },
);

it("gives links the channel of the import and, where the address has none, the channel's tag", async () => {
  const bare = "https://www.amazon.com/dp/B08N5WRWNW";
  const id = await addImport(database, [{ url: bare }, { url: LAMP }, { url: bare }]);
  await rows(
    `WITH channel AS (
       UPDATE imports SET channel_id = channels.id, uses_channel_tag = true FROM channels
       WHERE channels.user_id = imports.user_id RETURNING channels.id, channels.user_id
     )
     INSERT INTO channel_tags SELECT id, user_id, 'com', 'main-20' FROM channel`,
  );
  await addLink("abc2345", `${bare}?tag=other-20`);
  await run(id);
  expect(
    await rows(`SELECT web_url, follows_channel, channel_id IS NOT NULL AS "hasChannel" FROM links ORDER BY web_url`),
  ).toEqual([
    { web_url: `${bare}?tag=`, follows_channel: true, hasChannel: true },
    { web_url: `${bare}?tag=`, follows_channel: true, hasChannel: true },
    { web_url: LAMP, follows_channel: false, hasChannel: true },
    { web_url: `${bare}?tag=other-20`, follows_channel: false, hasChannel: false },
  ]);
});

it("a line of which no link can be created does not hold up the others, and is refused after its last attempt", async () => {
  const id = await addImport(database, importLines(3));
  await makeFail(database, "all_links", { short_code: "lamp-2" });
  await run(id);
  expect(await outcomes(id)).toEqual(["created", "pending", "created"]);
  expect(await stateOf(id)).toMatchObject({ state: "running", created_count: 2 });
  expect(await rows("SELECT key FROM failed_items")).toEqual([{ key: `${id} 2` }]);
  await rows("UPDATE import_lines SET attempts = 8, retry_at = now() WHERE line = 2");
  await run(id);
  expect(await outcomes(id)).toEqual(["created", "refused: unusable-link", "created"]);
  expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 2, refused_count: 1 });
});

describe("Amazon's short links", () => {
  const SHORT = "https://amzn.to/lamp";
  const addShortLinks = (codes: string[]) =>
    addImport(
      database,
      codes.map((code) => ({ url: `https://amzn.to/${code}` })),
    );
  const letPass = (id: string) => rows("UPDATE import_lines SET retry_at = now() WHERE import_id = $1", [id]);

  it("are resolved, and refused if they lead elsewhere or nowhere", async () => {
    resolutions.set(SHORT, { kind: "resolved", url: LAMP });
    resolutions.set("https://amzn.to/evil", { kind: "leads-elsewhere" });
    resolutions.set("https://amzn.to/unknown", { kind: "bad-response", permanent: true });
    const id = await addShortLinks(["lamp", "evil", "unknown"]);
    await run(id);
    expect(await outcomes(id)).toEqual(["created", "refused: unusable-link", "refused: short-link-unknown"]);
    expect(await rows("SELECT original_url FROM links")).toEqual([{ original_url: LAMP }]);
    expect(await stateOf(id)).toMatchObject({ link_count: 1, refused_count: 2, created_count: 1 });
  });

  it("create no link that the user has, and none twice", async () => {
    const destinations = { lamp: LAMP, same: LAMP, other: `${LAMP}&th=1` };
    for (const [code, url] of Object.entries(destinations)) {
      resolutions.set(`https://amzn.to/${code}`, { kind: "resolved", url });
    }
    const id = await addShortLinks(["lamp", "same", "other"]);
    await addLink("abc2345", destinations.other);
    await run(id);
    expect(await outcomes(id)).toEqual(["created", "refused: repeated-line", "refused: already-yours"]);
    expect(await rows("SELECT FROM links")).toHaveLength(2);
  });

  it("create no link that the user has renamed since", async () => {
    resolutions.set(SHORT, { kind: "resolved", url: LAMP });
    const lines = ["new-name", "old-name"].map((slug) => ({ url: SHORT, slug, nickname: "Old" }));
    const id = await addImport(database, lines);
    await rows("UPDATE import_lines SET replacement = 'slug-taken' WHERE import_id = $1", [id]);
    await addLink("new-name", LAMP);
    await rows("INSERT INTO link_codes (short_code, link_id) SELECT 'old-name', id FROM links");
    await run(id);
    expect(await outcomes(id)).toEqual(Array(2).fill("refused: already-yours"));
    expect(await rows("SELECT FROM links")).toHaveLength(1);
  });

  it("wait and are tried again if Amazon does not respond, and the other lines do not wait", async () => {
    const id = await addImport(database, [{ url: SHORT }, { url: LAMP }]);
    await run(id);
    await run(id);
    expect(requested).toEqual([SHORT]);
    expect(await stateOf(id)).toMatchObject({ state: "running", created_count: 1 });
    expect(await resultsOf(database, id)).toMatchObject([
      { state: "pending", attempts: 1, retry_at: expect.any(Date) },
      { state: "created" },
    ]);
    resolutions.set(SHORT, { kind: "resolved", url: `${LAMP}&th=1` });
    await letPass(id);
    await run(id);
    expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 2 });
  });

  it("are refused in the end, with the advice to try again", async () => {
    const id = await addShortLinks(["lamp"]);
    await rows("UPDATE import_lines SET attempts = 8");
    await run(id);
    await run(id);
    expect(requested).toHaveLength(1);
    expect(await outcomes(id)).toEqual(["refused: short-link-failed"]);
    expect(await stateOf(id)).toMatchObject({ state: "finished", refused_count: 1 });
  });

  it("are not requested while Amazon is unavailable, and those that were not come first afterwards", async () => {
    const id = await addShortLinks(Array.from({ length: 150 }, (_, index) => `lamp-${index}`));
    await run(id);
    expect(requested.length).toBeLessThanOrEqual(4);
    const attempts = await rows("SELECT DISTINCT attempts, state FROM import_lines");
    expect(attempts).toEqual([{ attempts: 1, state: "pending" }]);
    const before = new Set(requested);
    requested.length = 0;
    await rows("UPDATE import_lines SET retry_at = retry_at - interval '1 hour'");
    await run(id);
    expect(requested.filter((url) => before.has(url))).toEqual([]);
  });
});

it("creates no link that the user got between the preview and the start, and no other is left out", async () => {
  const id = await addImport(database, [
    { url: LAMP, slug: "lamp" },
    { url: LAMP, slug: "taken", replacement: "slug-taken" },
    { url: LAMP, slug: "newer" },
    { url: `${LAMP}&th=1`, nickname: "New" },
  ]);
  await rows("UPDATE imports SET created_at = now() - interval '2 hours', replaced_count = 1");
  await addLink("lamp", LAMP, "Old", "1 hour");
  await addLink("abc2345", `${LAMP}&th=1`, "Old");
  await run(id);
  expect(await resultsOf(database, id)).toMatchObject([
    { state: "refused", refusal: "already-yours" },
    { state: "refused", refusal: "already-yours" },
    { state: "created", short_code: "newer" },
    { state: "created" },
  ]);
  const counts = { link_count: 2, refused_count: 2, replaced_count: 0, created_count: 2 };
  expect(await stateOf(id)).toMatchObject(counts);
});

it("refuses links that expired after the preview", async () => {
  const id = await addImport(database, [{ url: LAMP, expiresAt: "2020-01-01T00:00:00Z" }]);
  await run(id);
  expect(await outcomes(id)).toEqual(["refused: expired"]);
});

describe("each line becomes one link", () => {
  it("when two jobs run at once", async () => {
    const id = await addImport(database, importLines(450));
    await Promise.all([run(id), run(id), run(id)]);
    expect(await rows("SELECT FROM links")).toHaveLength(450);
    expect(await rows("SELECT FROM link_changes WHERE short_code !~ '^~'")).toHaveLength(450);
    expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 450 });
  });

  it("when a job is stopped and continues", async () => {
    const id = await addImport(database, importLines(350));
    const stopping = new AbortController();
    afterBatch = () => stopping.abort(new Error("stopping"));
    await expect(run(id, stopping.signal)).rejects.toThrow("stopping");
    expect(await stateOf(id)).toMatchObject({ state: "running", created_count: 100 });
    await run(id);
    await run(id);
    expect(await rows("SELECT FROM links")).toHaveLength(350);
    expect(await stateOf(id)).toMatchObject({ state: "finished", created_count: 350 });
  });
});

it("stops within a batch when it is cancelled, and keeps what was created", async () => {
  const id = await addImport(database, importLines(1_000));
  const cancelled = new Promise<Record<string, unknown>[]>((resolve) => {
    const cancel = "UPDATE imports SET state = 'cancelled', ended_at = now() WHERE id = $1 RETURNING created_count";
    afterBatch = () => {
      afterBatch = () => {};
      resolve(rows(cancel, [id]));
    };
  });
  await run(id);
  const created = Number((await cancelled)[0]?.created_count);
  expect(created).toBeLessThan(1_000);
  expect(await rows("SELECT FROM links")).toHaveLength(created);
  expect(await stateOf(id)).toMatchObject({ state: "cancelled", created_count: created });
});

it("does nothing for an import that was not started, was deleted, or whose user was", async () => {
  const id = await addImport(database, [{ url: LAMP }], "ready");
  await run(id);
  await run("00000000-0000-4000-8000-000000000000");
  const orphan = await addImport(database, [{ url: LAMP }]);
  await rows("DELETE FROM users");
  await run(orphan);
  expect(await rows("SELECT FROM links")).toEqual([]);
});

it("two short links are resolved at once, and all in the end", async () => {
  let running = 0;
  let most = 0;
  const resolve = limitResolutions(async (url) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return { kind: "resolved", url };
  });
  const found = await Promise.all(["a", "b", "c"].map(resolve));
  expect(found.map((each) => each.kind === "resolved" && each.url)).toEqual(["a", "b", "c"]);
  expect(most).toBe(2);
});

it("the delay before a line is tried again doubles up to four minutes, and ends after nine attempts", () => {
  const seconds = Array.from({ length: 10 }, (_, index) => {
    const delayMs = retryDelayMs(index + 1, "not-requested");
    return delayMs === null ? null : delayMs / 1_000;
  });
  expect(seconds).toEqual([15, 30, 60, 120, 240, 240, 240, 240, null, null]);
});

it("the delay is longer for lines that were requested", () => {
  expect(retryDelayMs(1, "no-response")).toBeGreaterThan(retryDelayMs(1, "not-requested") ?? 0);
});
