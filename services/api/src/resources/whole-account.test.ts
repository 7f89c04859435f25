import { createChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { addDomain } from "@tapthru/proto/domains";
import { saveEarningsRates } from "@tapthru/proto/earnings";
import { createKey } from "@tapthru/proto/keys";
import { deleteLink, updateLink } from "@tapthru/proto/links";
import { inviteMember } from "@tapthru/proto/members";
import { deleteAccount, exportAccount } from "@tapthru/proto/own-account";
import { saveRoutingSettings } from "@tapthru/proto/routing";
import { saveOneLinkStore, saveStoreTag } from "@tapthru/proto/stores";
import { createWebhook } from "@tapthru/proto/webhooks";
import { expect, it } from "vitest";
import { newHost } from "../testing/test-domains.ts";
import { addReport } from "../testing/test-earnings.ts";
import { product } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld({ TLS: "on" });
const GERMAN = { marketplace: "de", tag: "main-21" } as const;

async function fill({ call, user: { id } }: TestUser) {
  const { secret } = await call(createWebhook, { body: { url: "https://hooks.example/", events: ["link.created"] } });
  const { key } = await call(createKey, { body: { name: "script", scopes: ["links:read"] } });
  const { shortCode } = await call(createLink, { body: { url: product } });
  await call(updateLink, { params: { shortCode }, body: { labels: ["Gifts"] } });
  await call(updateLink, { params: { shortCode }, body: { url: `${product}&th=1` } });
  await call(updateLink, { params: { shortCode }, body: { slug: `lamp-${id}` } });
  const deleted = await call(createLink, { body: { url: product, slug: `old-${id}` } });
  await call(deleteLink, { params: { id: String(deleted.id) } });
  const { id: channel } = await call(createChannel, { body: { name: "Blog" } });
  for (const tag of ["old-21", "blog-21"]) {
    await call(saveChannelTag, { params: { id: channel }, body: { marketplace: "de", tag } });
  }
  await call(saveStoreTag, { body: GERMAN });
  await call(saveOneLinkStore, { body: { marketplace: "fr", served: true } });
  await call(saveRoutingSettings, { body: { isOn: true, fallback: "search", assistantsGetTag: true } });
  await call(saveEarningsRates, { body: { currency: "EUR", rates: [{ currency: "JPY", rate: 0.006 }] } });
  await call(inviteMember, { body: { name: "Ben", role: "viewer" } });
  await call(addDomain, { body: { host: newHost() } });
  const sales = [{ day: "2026-11-03", tag: "me-21", asin: "B0AAAAAAAA", earnings: 1 }];
  await addReport(api, { userId: id, period: ["2026-11-01", "2026-11-30"], sales });
  await api.query(`
    INSERT INTO amazon_ads_connections (user_id, encrypted_refresh_token, account_name, account_email)
    VALUES (${id}, 'encrypted', 'Ada', 'ada@example.com');
    INSERT INTO earnings_products VALUES (${id}, 'B0AAAAAAAA', 'Mug');
    INSERT INTO earnings_file_parts SELECT id, 0, 'x' FROM earnings_imports WHERE user_id = ${id};
  `);
  return { secret, key, channel };
}

/** Rows that say that something is no more, what happened, or what the relay does, and pages of Amazon. */
const KEPT = ["audit_log", "link_changes", "link_codes", "bulk_updates", "products", "retired_codes"];

async function rowCounts(): Promise<[table: string, count: number][]> {
  const tables = await api.query(`
    SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1
  `);
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const [row] = await api.query(`SELECT count(*)::int FROM "${name}"`);
    counts.push([String(name), Number(row?.count)]);
  }
  return counts.filter(([table]) => !KEPT.includes(table));
}

it("the export has all that users have, and no secrets; the deletion leaves nothing of it, and all of others", async () => {
  const before = new Map(await rowCounts());
  const { secret, key, channel } = await fill(ada);
  await fill(eve);
  const added = (await rowCounts()).filter(([table, count]) => count > (before.get(table) ?? 0) || table === "users");
  expect(added.map(([table]) => table)).toEqual(
    expect.arrayContaining(["channel_tags", "domains", "link_labels", "webhook_deliveries"]),
  );
  const exported = await ada.call(exportAccount);
  expect(exported).toMatchObject({
    user: { ...ada.user, firebaseUid: ada.uid },
    amazonAds: { accountName: "Ada" },
    storeTags: [GERMAN],
    channels: [{ name: "Main" }, { id: channel, name: "Blog", tags: [{ marketplace: "de", tag: "blog-21" }] }],
    oneLinkStores: ["fr"],
    routing: { isOn: true, fallback: "search", assistantsGetTag: true },
    domains: [{ state: "waiting" }],
    apiKeys: [{ name: "script" }],
    webhooks: [{ url: "https://hooks.example/" }],
    labels: [{ name: "Gifts" }],
    earningsRates: { currency: "EUR" },
    earningsImports: [{ state: "stored" }],
    earnings: [{ tag: "me-21", productName: "Mug" }],
    links: [{ shortCode: `lamp-${ada.user.id}`, labels: [{ name: "Gifts" }] }],
    deletedLinks: [{ shortCode: `old-${ada.user.id}` }],
  });
  const text = JSON.stringify(exported);
  for (const hidden of [secret.slice(6), key.slice(7)]) expect(text).not.toContain(hidden);
  expect(text).not.toMatch(/"\w*(token|hash|encrypted|canonical)\w*":/i);

  await ada.call(deleteAccount, { body: { email: ada.email } });
  const after = new Map(await rowCounts());
  expect(added.filter(([table, count]) => after.get(table) !== count / 2)).toEqual([]);
  expect(await eve.call(exportAccount)).toMatchObject({ links: [{}], labels: [{}], domains: [{}], earnings: [{}] });
});
