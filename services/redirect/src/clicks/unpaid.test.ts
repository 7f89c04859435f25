import { CLICK_CLASSES, classKey, dimensionKey, dimensionValue, UNPAID } from "@tapthru/proto/clicks/keys";
import type { LiveRecord } from "@tapthru/proto/redirect/record";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseDestination } from "../choose-destination.ts";
import { type LiveLink, linkFrom, linkOfOwner } from "../link.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, liveRecord, ownerRecord } from "../testing/test-service.ts";
import { createClientParser, visitorFrom } from "../visitor/visitor.ts";
import { createClickCounter } from "./click-counter.ts";

const page = (store: string, query: string) => `https://www.amazon.${store}/dp/B0ZZ1Y2X3W${query}`;
const OWNER = ownerRecord({
  oneLink: ["fr"],
  isRouted: true,
  channels: { 1: { tags: { de: "me-21", "co.uk": "me-21", nl: "yourtag-21" } }, 2: { tags: { es: "me-21" } } },
});

function link(webUrl: string, fields: Partial<LiveRecord> = {}): LiveLink {
  const found = linkFrom(liveRecord({ webUrl, ...fields }));
  if (found?.state !== "live") throw new Error(`no link: ${webUrl}`);
  return linkOfOwner(found, OWNER);
}

const LINKS = {
  german: link(page("de", "?tag=me-21")),
  print: link(page("de", "?tag=me-21"), { isUntagged: true }),
  bare: link(page("it", "")),
  bareOwn: link(page("es", "")),
  oneLink: link(page("fr", "?tag=me-20")),
  american: link(page("com", "?tag=me-20"), { soldIn: ["de"] }),
  noOneLink: link(page("it", "?tag=me-20")),
  foreign: link(page("de", "?tag=me-20&th=1"), { isRouted: false }),
  two: link(page("de", "?tag=me-21&tag=you-21")),
  attributionToo: link(page("de", "?tag=me-21&maas=maas_adg_1")),
  attribution: link(page("de", "?maas=maas_adg_1&ref_=aa_maas")),
  misplaced: link(page("de", "&tag=me-21")),
  example: link(page("de", "?tag=yourtag-21")),
  savedExample: link(page("nl", "?tag=yourtag-21")),
  unusual: link(page("de", "?tag=annasblog")),
  emptied: link(page("se", "?tag=me-21"), { followsChannel: true, channelId: 1 }),
  ended: link(page("de", "?tag=me-21"), { expiresAt: 1, fallbackUrl: "https://www.amazon.se/" }),
  replaced: link(page("se", ""), { isProductGone: true, fallbackUrl: page("co.uk", "?tag=old-21") }),
};
type LinkName = keyof typeof LINKS;

interface Sent {
  link: LinkName;
  query?: string;
  referer?: string;
  agent?: string;
  country?: string;
}

const parseClient = createClientParser(() => BUILT_IN_OPENING_TABLE);

/** The keys of a visit, once each; none if it is not counted. */
function keysOf({ link: name, query = "", referer = "", agent = IPHONE, country = "unknown" }: Sent): string[] {
  const added: string[] = [];
  const counter = createClickCounter({
    tally: { add: (_code, keys) => added.push(...keys) },
    outcomes: { add: () => {} },
    originOf: () => ({ countryKey: dimensionKey("country", country), register: 1 }),
    metrics: { countClick: () => {} },
  });
  const headers = { "user-agent": agent, referer, "accept-language": "de" };
  const request = { method: "GET", url: `/l/abc2345?${query}`, headers, ip: "192.0.2.1" };
  const visitor = visitorFrom(request, parseClient);
  const decision = chooseDestination(LINKS[name], { visitor, now: 1_800_000_000_000, country });
  counter.countVisit(request, { shortCode: "abc2345", visitor, decision });
  return added;
}

const reasonsOf = (keys: readonly string[]) => keys.flatMap((key) => dimensionValue("pay", key) ?? []);

const GMAIL = "android-app://com.google.android.gm/";
const ADS = "gclid=Cj0";

const PLANTED: [count: number, reason: string, sent: Sent][] = [
  [500, "payable", { link: "german" }],
  [100, "payable", { link: "german", agent: DESKTOP, query: "fbclid=IwAR&utm_medium=social" }],
  [80, "payable", { link: "american", country: "DE" }],
  [60, "payable", { link: "american", country: "US", referer: "https://google.com/" }],
  [50, "payable", { link: "oneLink", agent: ANDROID, query: "from=newsletter" }],
  [20, "payable", { link: "attribution" }],
  [25, "payable", { link: "unusual" }],
  [15, "payable", { link: "savedExample" }],
  [20, "payable", { link: "replaced" }],
  [40, "ads", { link: "german", query: ADS }],
  [20, "ads", { link: "german", query: `${ADS}&from=qr`, referer: "https://mail.google.com/" }],
  [14, "ads", { link: "bare", query: "utm_medium=cpc&utm_source=ig" }],
  [9, "mail", { link: "german", referer: GMAIL }],
  [7, "mail", { link: "two", referer: "https://webmail.shop.example/inbox" }],
  [6, "mail", { link: "german", agent: DESKTOP, query: "utm_medium=email&from=qr" }],
  [4, "print", { link: "german", query: "from=qr" }],
  [3, "print", { link: "foreign", query: "x=1&from=qr" }],
  [2, "untagged", { link: "print", query: `${ADS}&from=qr`, referer: GMAIL }],
  [1, "untagged", { link: "print" }],
  [5, "store", { link: "bare" }],
  [4, "store", { link: "noOneLink" }],
  [3, "store", { link: "foreign", country: "GB" }],
  [2, "store", { link: "emptied" }],
  [1, "store", { link: "ended" }],
  [3, "tag", { link: "two" }],
  [2, "tag", { link: "attributionToo" }],
  [2, "tag", { link: "misplaced" }],
  [1, "tag", { link: "example" }],
  [1, "tag", { link: "bareOwn" }],
];

it("counts each of 1,000 taps with the reason why it cannot pay, or without one", () => {
  expect(PLANTED.reduce((sum, [count]) => sum + count, 0)).toBe(1_000);
  const counted = new Map<string, number>();
  const expected = new Map<string, number>();
  for (const [count, reason, sent] of PLANTED) {
    expected.set(reason, (expected.get(reason) ?? 0) + count);
    for (let tap = 0; tap < count; tap++) {
      const keys = keysOf(sent);
      expect(keys).toContain(classKey("person"));
      const [found = "payable", ...others] = reasonsOf(keys);
      expect([sent, found, others]).toEqual([sent, reason, []]);
      counted.set(found, (counted.get(found) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected));
});

it("each visit has one class, and one reason at most, which only taps of people have", () => {
  const agents = [IPHONE, ANDROID, DESKTOP, CRAWLER, "curl/8.5.0", "", "Claude-User/1.0", "Googlebot/2.1"];
  const queries = [
    "",
    ADS,
    "utm_medium=email",
    "mc_cid=1",
    "from=qr",
    "from=blog",
    "utm_source=chatgpt.com",
    "tag=x-21",
  ];
  const sent = fc.record({
    link: fc.constantFrom(...(Object.keys(LINKS) as LinkName[])),
    query: fc.subarray(queries).map((chosen) => chosen.filter(Boolean).join("&")),
    referer: fc.constantFrom("", GMAIL, "https://mail.yahoo.co.jp/", "https://blog.example/", "https://chatgpt.com/"),
    agent: fc.constantFrom(...agents),
    country: fc.constantFrom("DE", "GB", "FR", "US", "unknown"),
  });
  const classKeys = CLICK_CLASSES.map(classKey);
  fc.assert(
    fc.property(sent, (visit) => {
      const keys = keysOf(visit);
      const reasons = reasonsOf(keys);
      expect(keys.filter((key) => classKeys.includes(key))).toHaveLength(1);
      expect(reasons.length).toBeLessThanOrEqual(keys.includes(classKey("person")) ? 1 : 0);
      for (const reason of reasons) expect(UNPAID).toContain(reason);
    }),
  );
});

it.each([
  ["Mozilla/5.0 (compatible; Secret-User/1.0)", "n:i:User"],
  ["Mozilla/5.0 (compatible; secretbot/1.0)", "n:b:other"],
  ["curl/8.5.0 secret", "n:b:curl"],
  ["", "n:b:other"],
])("a visit of %j counts with no name of its own", (agent, expected) => {
  expect(keysOf({ link: "german", agent })).toContain(expected);
});
