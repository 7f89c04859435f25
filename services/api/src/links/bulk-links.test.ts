import { createLinks, findKnownLinks } from "@tapthru/proto/create-links";
import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { startOwnAmazon, startWorld } from "../testing/world.ts";

const LAMP = "https://www.amazon.com/dp/B08N5WRWNW?tag=me-20";
const CHAIR = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const SHORT = "https://amzn.to/3TapTru";
const SHORT_PAGE = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&linkCode=ogi&th=1";

const amazon = await startOwnAmazon();
const { api, ada, eve } = await startWorld({ EGRESS_STAND_IN_URL: amazon.url });
beforeEach(() =>
  api.query("TRUNCATE all_links, link_codes, retired_codes, labels, idempotency_keys, audit_log CASCADE"),
);

type NewLinks = z.input<typeof createLinks.body>["links"];
const create = async (links: NewLinks, user = ada) => (await user.call(createLinks, { body: { links } })).results;
const outcomes = async (links: NewLinks, user = ada) =>
  (await create(links, user)).map((result) =>
    "link" in result ? [result.status, result.link.shortCode] : result.code,
  );
const addLink = async (slug: string, url: string, nickname?: string) => {
  await create([{ url, slug, ...(nickname && { nickname }) }]);
};

it("puts labels on new links, creates missing labels, and records them in its events", async () => {
  await create([{ url: LAMP, labels: ["Gifts"] }]);
  const [one, two] = await create([
    { url: LAMP, labels: ["home", "GIFTS"] },
    { url: CHAIR, slug: "chair" },
  ]);
  expect(one).toMatchObject({ status: 201, link: { labels: [{ name: "Gifts" }, { name: "home" }] } });
  expect(two).toMatchObject({ status: 201, link: { labels: [] } });
  expect(await api.query("SELECT name FROM labels ORDER BY id")).toEqual([{ name: "Gifts" }, { name: "home" }]);
  const events = await api.query("SELECT action, object FROM audit_log ORDER BY id");
  expect(events.map(({ action }) => action)).toEqual([
    ...["label.created", "link.created"],
    ...["label.created", "link.created", "link.created"],
  ]);
});

it("puts labels on the right links, also if links between them are refused", async () => {
  await addLink("taken", CHAIR);
  const rows = ["first-lamp", "odd-lamp", "taken", "last-lamp"].map((slug, at) => ({
    url: slug === "odd-lamp" ? "https://shop.example/lamp" : `${LAMP}&n=${at}`,
    slug,
    labels: [`label of ${slug}`],
  }));
  const results = await create(rows);
  expect(
    results.map((result) => ("link" in result ? result.link.labels.map(({ name }) => name) : result.code)),
  ).toEqual([["label of first-lamp"], "not-an-amazon-link", "slug-taken", ["label of last-lamp"]]);
  const stored = await api.query(`SELECT short_code, name FROM links JOIN link_labels ON link_id = links.id
    JOIN labels ON labels.id = label_id ORDER BY 1`);
  expect(stored).toEqual([
    { short_code: "first-lamp", name: "label of first-lamp" },
    { short_code: "last-lamp", name: "label of last-lamp" },
  ]);
});

it("gives a link a generated code if it may, and its slug is taken or reserved", async () => {
  await addLink("taken", CHAIR);
  const generated = expect.stringMatching(/^[2-9a-z]{7}$/);
  const links = ["taken", "login", "my-lamp"].map((slug) => ({ url: LAMP, slug }));
  expect(await outcomes(links.map((link) => ({ ...link, mayReplaceSlug: true })))).toEqual([
    [201, generated],
    [201, generated],
    [201, "my-lamp"],
  ]);
  expect(await outcomes(links.slice(0, 2))).toEqual(["slug-taken", "invalid-body"]);
});

describe("a link that must be new", () => {
  const unless = (links: NewLinks) => outcomes(links.map((link) => ({ ...link, unlessKnown: true })));

  it("finds the user's link with the same page and code, or name", async () => {
    await addLink("lamp", LAMP, "Lamp");
    await create([{ url: LAMP, slug: "other" }], eve);
    expect(await unless([{ url: LAMP, slug: "lamp" }])).toEqual([[200, "lamp"]]);
    expect(await unless([{ url: LAMP }])).toEqual([[200, "lamp"]]);
    expect(await unless([{ url: LAMP, nickname: "Lamp" }])).toEqual([[200, "lamp"]]);
    expect(await unless([{ url: LAMP, slug: "new-lamp" }])).toEqual([[201, "new-lamp"]]);
    expect(await unless([{ url: LAMP, nickname: "Other" }])).toMatchObject([[201, expect.any(String)]]);
  });

  it("knows a link also if a short link of Amazon leads to its page, and the user has renamed it", async () => {
    expect(await unless([{ url: SHORT, slug: "old-name" }])).toEqual([[201, "old-name"]]);
    expect(await unless([{ url: SHORT }])).toEqual([[200, "old-name"]]);
    await api.request("PATCH", "/api/links/old-name", ada.browser, { slug: "new-name", nickname: "New" });
    expect(await unless([{ url: SHORT, slug: "old-name", nickname: "Old" }])).toEqual([[200, "new-name"]]);
  });

  it("creates a link once in a request", async () => {
    const [one, two] = await unless([{ url: SHORT }, { url: SHORT_PAGE }]);
    expect([one, two]).toEqual([
      [201, expect.any(String)],
      [200, one?.[1]],
    ]);
  });

  it("knows a link with the tag of its channel", async () => {
    await api.request("PUT", "/api/stores", ada.browser, { marketplace: "de", tag: "main-21" });
    const bare = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const [first] = await outcomes([{ url: bare, usesChannelTag: true }]);
    expect(await unless([{ url: bare, usesChannelTag: true }])).toEqual([[200, first?.[1]]]);
    expect(await unless([{ url: bare }])).toMatchObject([[201, expect.any(String)]]);
  });
});

it("returns the link of an earlier request for the same key of a link, wherever it is in the request", async () => {
  const [key, other] = ["k".repeat(22), "o".repeat(22)];
  const [[, code] = []] = await outcomes([{ url: LAMP, idempotencyKey: key }]);
  const again = await outcomes([
    { url: CHAIR, idempotencyKey: other },
    { url: LAMP, idempotencyKey: key },
    { url: CHAIR, idempotencyKey: key },
    { url: CHAIR, idempotencyKey: "short" },
  ]);
  expect(again).toEqual([[201, expect.any(String)], [201, code], "idempotency-key-reused", "invalid-body"]);
});

it("finds what creating links would find, and nothing of others", async () => {
  await addLink("lamp", LAMP, "Lamp");
  await create([{ url: CHAIR, slug: "chair" }], eve);
  await api.query("INSERT INTO retired_codes (short_code, reason, revision) VALUES ('old', 'deleted', 1)");
  const links = [
    { url: LAMP, slug: "LAMP" },
    { url: `${LAMP}&th=1`, slug: "lamp" },
    { url: CHAIR, slug: "chair" },
    { url: CHAIR, slug: "old" },
    { url: CHAIR, slug: "a b" },
    { url: SHORT },
    { url: "https://shop.example" },
  ];
  const found = await ada.call(findKnownLinks, { body: { links } });
  expect(found.results.map(({ webUrl, isSlugUsed, slugLink }) => [webUrl, isSlugUsed, slugLink])).toEqual([
    [LAMP, true, "lamp"],
    [`${LAMP}&th=1`, true, null],
    [CHAIR, true, null],
    [CHAIR, true, null],
    [CHAIR, false, null],
    [SHORT, false, null],
    [null, false, null],
  ]);
  expect(found.links).toEqual([{ webUrl: LAMP, shortCode: "lamp", nickname: "Lamp" }]);
});
