import { fork } from "node:child_process";
import { DUE_KINDS } from "@tapthru/proto/jobs/catalogue";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { KINDS } from "./registry.ts";
import { asinOf, createDueApp, hostOf, type Outside, SITE } from "./testing/due-app.ts";
import { addLinks, type Changed, makeFail, makeWait, useDatabase } from "./testing/test-database.ts";
import { workNow } from "./testing/test-due.ts";
import { useRedis } from "./testing/test-redis.ts";
import { addOwnLinks, addUser, addWebhook } from "./testing/test-webhooks.ts";
import { stopWorker } from "./testing/test-workers.ts";

const database = await useDatabase(
  ...["certificates", "domain_owners", "certificate_orders", "earnings_imports"],
  ...["invitations", "abuse_reports", "store_checks", "exchange_rates"],
);
const redis = await useRedis();
const { rows } = database;

interface Example {
  /** Makes a row due, whose name is such as r07. There are none by default. */
  add?(name: string): Promise<unknown>;
  /** Where its work ends: outside of Postgres, or with a statement that changes such a row. */
  ends: Outside | ((name: string) => Changed | Promise<Changed>);
  isDone?(name: string): Promise<boolean>;
  only?: string;
  /** By default a row is retried until its work is done. An email is not sent twice; one operator must receive a notice. */
  isNotRepeated?: "after a failure" | "at all";
}

const has = async (query: string, ...values: unknown[]) => (await rows(query, values)).length > 0;
const withoutTriggers = (statements: string) =>
  `SET session_replication_role = replica; ${statements}; RESET session_replication_role`;
const uuidOf = (name: string) => `00000000-0000-4000-8000-0000000000${name.slice(1)}`;

async function addDomain(name: string, columns = "", values = ""): Promise<void> {
  await rows(`INSERT INTO domains (user_id, host, proof, verified_at${columns}) VALUES ($1, $2, '', now()${values})`, [
    await addUser(database, name, true),
    hostOf(name),
  ]);
}
async function addCertificate(name: string): Promise<void> {
  await addDomain(name);
  await rows(
    `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at, order_at)
     VALUES ($1, $1, '', now() + interval '60 days', now(), now() - interval '1 minute')`,
    [hostOf(name)],
  );
}
async function addLinkOfUser(name: string): Promise<number> {
  const userId = await addUser(database, name, true);
  await addOwnLinks(database, userId, { name });
  return userId;
}
const addReport = (state: string) => async (name: string) =>
  rows("INSERT INTO earnings_imports (id, user_id, state) VALUES ($1, $2, $3)", [
    uuidOf(name),
    await addUser(database, name),
    state,
  ]);
const addProduct = (name: string, columns: string, values: string) =>
  rows(`INSERT INTO products (canonical_url, marketplace, product_id, ${columns}) VALUES ($1, 'com', $1, ${values})`, [
    name,
  ]);
const isOf = async (query: string, name: string): Promise<Changed> => {
  const [row = {}] = await rows(query, [name]);
  return [query.split(" ")[3] ?? "", row];
};
const FIRST = "r01";

const EXAMPLES: Record<string, Example> = {
  "check-domains": { add: addDomain, ends: "dns" },
  "check-product-stores": {
    async add(name) {
      const userId = await addLinkOfUser(name);
      await rows("UPDATE links SET asin = $1, marketplace = 'com', routing = true WHERE user_id = $2", [
        asinOf(name),
        userId,
      ]);
      await rows("INSERT INTO channel_tags VALUES (default_channel($1), $1, 'de', 'me-21')", [userId]);
      await rows("INSERT INTO store_checks (user_id) VALUES ($1)", [userId]);
    },
    ends: "read",
  },
  "domain-notices": { add: (name) => addDomain(name, ", notice_due", ", true"), ends: "mail", isNotRepeated: "at all" },
  "move-links-of-removed-domains": {
    async add(name) {
      const code = `mug@${hostOf(name)}`;
      await rows("UPDATE links SET nickname = $2, short_code = $3 WHERE user_id = $1", [
        await addLinkOfUser(name),
        name,
        code,
      ]);
    },
    ends: (name) => ["all_links", { nickname: name }],
    isDone: (name) => has("SELECT FROM links WHERE nickname = $1 AND short_code NOT LIKE '%@%'", name),
  },
  "order-certificates": { add: addCertificate, ends: "order" },
  "purge-expired-links": {
    add: (name) => addLinks(database, { name, expiresIn: "-1 day", withChange: false }),
    ends: (name) => ["all_links", { short_code: `${name}1` }],
    isDone: (name) => has("SELECT FROM retired_codes WHERE short_code = $1", `${name}1`),
  },
  // A row is a table.
  "purge-old-rows": {
    add: (name) =>
      name === FIRST
        ? rows("INSERT INTO invitations (token_hash, expires_at) VALUES (sha256(''), now() - interval '1 day')")
        : rows(
            "INSERT INTO link_changes (short_code, revision, projected_at) VALUES ($1, 1, now() - interval '1 day')",
            [name],
          ),
    ends: (name) => (name === FIRST ? ["invitations", {}] : ["link_changes", { short_code: name }]),
    isDone: async (name) =>
      !(await has(
        name === FIRST ? "SELECT $1::text FROM invitations" : "SELECT FROM link_changes WHERE short_code = $1",
        name,
      )),
  },
  "read-earnings": {
    add: addReport("reading"),
    // It has no bytes.
    ends: (name) => ["earnings_imports", { id: uuidOf(name), state: "refused" }],
    isDone: (name) => has("SELECT FROM earnings_imports WHERE id = $1 AND state = 'refused'", uuidOf(name)),
  },
  "read-exchange-rates": {
    ends: () => ["exchange_rates", { currency: "USD" }],
    isDone: () => has("SELECT FROM exchange_rates"),
    only: "daily",
  },
  "rebuild-redirects": { ends: "redis", only: "r00" },
  "send-abuse-report-notices": {
    async add(name) {
      await rows("UPDATE users SET is_operator = true WHERE id = $1", [await addUser(database, name, true)]);
      await addLinks(database, { name });
      await rows("INSERT INTO abuse_reports (short_code, reason) VALUES ($1 || '1', 'spam')", [name]);
    },
    ends: "mail",
    isNotRepeated: "after a failure",
  },
  "send-webhooks": {
    async add(name) {
      const userId = await addUser(database, name);
      await addWebhook(database, userId, { url: `https://${hostOf(name)}/`, events: ["link.created"] });
      await addOwnLinks(database, userId, { name });
    },
    ends: "post",
  },
  "send-weekly-emails": {
    async add(name) {
      await rows(
        `UPDATE link_health SET state = 'product-gone', since = now() - interval '2 days', is_stale = false
         WHERE user_id = $1`,
        [await addLinkOfUser(name)],
      );
    },
    ends: "mail",
    isNotRepeated: "at all",
  },
  "sweep-earnings": {
    add: addReport("removed"),
    ends: (name) => ["earnings_imports", { id: uuidOf(name) }],
    isDone: async (name) => !(await has("SELECT FROM earnings_imports WHERE id = $1", uuidOf(name))),
  },
  // A row is a step of the sweep.
  "sweep-products": {
    add: (name) =>
      name === FIRST
        ? addProduct(name, "next_attempt_at", "now()")
        : addProduct(name, "title, keep_until", "'Lamp', now() - interval '1 day'"),
    ends: (name) => [
      "products",
      { canonical_url: name, ...(name === FIRST ? { last_outcome: "unshown" } : { title: null }) },
    ],
    isDone: (name) =>
      has(
        `SELECT FROM products WHERE canonical_url = $1 AND CASE $1 WHEN '${FIRST}' THEN last_outcome IS NOT NULL
         ELSE title IS NULL END`,
        name,
      ),
  },
  "update-hosts": {
    ends: () => ["certificates", { host: SITE }],
    isDone: () => has("SELECT FROM certificates WHERE is_site"),
    only: SITE,
  },
  "update-link-health": {
    add: addLinkOfUser,
    ends: (name) =>
      isOf("SELECT link_id::int FROM link_health JOIN links ON id = link_id WHERE short_code = $1 || '1'", name),
    isDone: (name) =>
      has("SELECT FROM link_health JOIN links ON id = link_id WHERE short_code = $1 || '1' AND NOT is_stale", name),
  },
};

it("each kind of due rows has an example", () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...DUE_KINDS].sort());
});

const LEASES = [
  ...["domains.next_check_at", "certificates.order_at"],
  ...["product_stores.next_check_at", "webhooks.leased_until", "earnings_imports.reader_until"],
].map((lease) => lease.split("."));

/** Moves times fifteen minutes back, without triggers. */
async function endLeases(): Promise<void> {
  const updates = LEASES.map(([table, column]) => `UPDATE ${table} SET ${column} = ${column} - interval '15 minutes'`);
  await rows(withoutTriggers(updates.join("; ")));
}

let done: string[];
beforeEach(() => {
  done = [];
});

async function timesDone({ ends, isDone }: Example, name: string): Promise<number> {
  if (isDone !== undefined) return Number(await isDone(name));
  return done.filter((each) => each === `${ends} ${name}`).length;
}

describe("with real workers", () => {
  const WAIT = { timeout: 300_000, interval: 50 };

  /** @param hangs the work outside of Postgres that never ends */
  function startWorker(hangs: readonly string[], onDone: (what: string) => void) {
    const { url } = redis.server;
    const worker = fork(new URL("./testing/due-worker.ts", import.meta.url), [database.url, url, hangs.join()], {
      execArgv: [],
    });
    worker.on("message", (what) => onDone(String(what)));
    onTestFinished(async () => void (await stopWorker(worker, "SIGKILL")));
    return worker;
  }

  it("rows of each kind are repeated whose worker is killed with SIGKILL, and others continue meanwhile", async () => {
    const examples = DUE_KINDS.map((kind, index) => {
      const example = EXAMPLES[kind] as Example;
      return { kind, name: example.only ?? `r${20 + index}`, ...example };
    });
    for (const { add, name } of examples) await add?.(name);
    const outside = examples.flatMap(({ ends, name }) => (typeof ends === "string" ? `${ends} ${name}` : []));
    const changed: Changed[] = [];
    for (const { ends, name } of examples) if (typeof ends !== "string") changed.push(await ends(name));
    async function timesOfAll() {
      const times: [kind: string, times: number][] = [];
      for (const example of examples) times.push([example.kind, await timesDone(example, example.name)]);
      return times;
    }
    const wait = await makeWait(database, changed);
    const begun = new Set<string>();
    const killed = startWorker(outside, (what) => (outside.includes(what) ? begun.add(what) : done.push(what)));
    await vi.waitFor(async () => {
      expect(outside.filter((what) => !begun.has(what))).toEqual([]);
      expect(await wait.countWaiting()).toBe(changed.length);
    }, WAIT);

    startWorker([], (what) => done.push(what));
    const others = examples.filter(({ kind }) => KINDS[kind].atOnce !== undefined);
    const otherName = (index: number) => `r${60 + index}`;
    for (const [index, { add }] of others.entries()) await add?.(otherName(index));
    await vi.waitFor(async () => {
      for (const [index, example] of others.entries()) {
        expect([example.kind, await timesDone(example, otherName(index))]).toEqual([example.kind, 1]);
      }
    }, WAIT);
    expect(await timesOfAll()).toEqual(examples.map(({ kind }) => [kind, 0]));

    await stopWorker(killed, "SIGKILL");
    await wait.end();
    await endLeases();
    const expected = examples.map(({ kind, isNotRepeated }) => [kind, isNotRepeated === "at all" ? 0 : 1]);
    await vi.waitFor(async () => expect(await timesOfAll()).toEqual(expected), WAIT);
  }, 900_000);
});

describe.each(Object.entries(EXAMPLES))("a row of the kind %s", (name, example) => {
  it("quarantines an item that fails, delays no others, and does it later", async () => {
    const { add, ends, only, isNotRepeated } = example;
    const kind = KINDS[name as keyof typeof KINDS];
    const first = only ?? FIRST;
    const others = only === undefined ? ["r02"] : [];
    let failing: string | null = null;
    const app = createDueApp(database.db, async (at, row) => {
      if (failing === `${at} ${row}`) throw Object.assign(new Error("broken"), { responseCode: "none" });
      done.push(`${at} ${row}`);
    });
    for (const row of [first, ...others]) await add?.(row);
    if (typeof ends === "string") failing = `${ends} ${first}`;
    const endFailures = typeof ends === "string" ? null : await makeFail(database, ...(await ends(first)));
    await workNow(app, kind);
    for (const row of others) expect([row, await timesDone(example, row)]).toEqual([row, 1]);
    await endLeases();
    await workNow(app, kind);
    expect(await timesDone(example, first)).toBe(0);
    expect(await rows("SELECT kind, attempts FROM failed_items")).toEqual([{ kind: name, attempts: 1 }]);
    failing = null;
    await endFailures?.();
    await rows("UPDATE failed_items SET retry_at = now()");
    await endLeases();
    await workNow(app, kind);
    if (isNotRepeated) return;
    expect(await timesDone(example, first)).toBe(1);
    expect(await rows("SELECT FROM failed_items")).toEqual([]);
  });
});
