import * as z from "zod/mini";
import type { DocumentedCall } from "./call.ts";
import { EXAMPLE_CODE as CODE, EXAMPLE_HOST as HOST, EXAMPLE_BASE_URL as SITE } from "./example-values.ts";

const URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=anna-21";
const SECRET = "Xo9sJtqk3m2fVb7cLr5aQw";
const TIME = "2026-11-20T18:05:12.345Z";

/**
 * The value of a field by its name, or by the name of its resource or of the field around it and its own. A field that has none here,
 * or one that its schema refuses, gets a value by its type, or null if it is a text or number that may be null.
 */
const VALUES: Record<string, unknown> = {
  "abuse-reports.state": "taken-down",
  accountEmail: "anna@example.com",
  accountName: "Anna",
  action: "link.changed",
  "activity.after": { nickname: "Mug of the camping list" },
  "activity.before": { nickname: null },
  "activity.id": 9041,
  "activity.q": CODE,
  "activity.requestId": "0f6c6a0e-6d0e-4a53-8e0c-0b8a3f3d0d5e",
  actor: "key",
  actorName: "Nightly script",
  actorUsername: "anna",
  addressHash: "5f0c9a3de1b24d7f8c6a0b9e2d41f370",
  "amazon-ads.state": "…",
  "amazon-ads.url": "https://www.amazon.com/ap/oa?client_id=amzn1.application-oa2-client.example&state=…",
  "apiKeys.id": 12,
  "apiKeys.lastUsedAt": "2026-11-21T11:58:00.000Z",
  "apiKeys.name": "Nightly script",
  app: "instagram",
  asin: "B0ZZ1Y2X3W",
  assistant: 1,
  attemptedAt: TIME,
  attempts: 1,
  bot: 1,
  "violations.kind": "wrong-tag",
  "violations.object": "anna-20",
  "breakdown.key": "ios",
  certificateExpiresAt: "2027-02-18T08:01:00.000Z",
  "changes.after": 0.02,
  "changes.asin": "B0ZZ1Y2X3W",
  "changes.before": 0.04,
  "changes.level": "product",
  "changes.name": "Camping mug",
  channelId: 3,
  "channels.id": 3,
  "channels.name": "Instagram",
  checkedAt: TIME,
  choice: "on",
  "clicks.counts": { person: 12, bot: 1 },
  code: CODE,
  colour: "green",
  conversion: 0.0565,
  countedDayCount: 0,
  counts: { misleading: 2, spam: 1 },
  currency: "EUR",
  deepLink: `${SITE}/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fwww.amazon.de%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Danna-21`,
  "deletedLinks.id": 7,
  "deletedLinks.shortCode": "oldmug",
  deliveryId: "6f1c1f0e-6a37-4b0f-9d0e-0d7c1f7c2f54",
  description: "An enamel mug for the campsite and the kitchen.",
  displayedName: "Anna's kitchen",
  "domains.id": 3,
  "domains.isDefault": true,
  "domains.q": "anna",
  "domains.state": "works",
  earnings: 1840,
  "earnings.name": "Kettle",
  "earnings.state": "ready",
  earningsPerClick: 8,
  email: "anna@example.com",
  emailIsVerified: true,
  endsOn: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
  "export.format": "json",
  "failed-items.count": 1,
  "failedItems.count": 1,
  "failedJobs.count": 1,
  "features.name": "webhooks",
  fileName: "Fee-Earnings.csv",
  firebaseUid: "Zq3vYt8Wc1hN5bKx7RmLpD2sEfGa",
  from: "B0ZZ1Y2X3V",
  firstDay: "2026-10-01",
  hasDomains: true,
  hasPassword: true,
  hasRevenue: true,
  "health.state": "ok",
  host: HOST,
  id: 1042,
  ids: [1042, 8],
  ignoredFiles: ["Fee-LinkType.csv"],
  imageUrl: "https://m.media-amazon.com/images/I/71example.jpg",
  "invitations.expiresAt": "2099-11-27T18:05:12.345Z",
  "invitations.id": 3,
  "invitations.url": `${SITE}/signup?invitation=${SECRET}`,
  isCurrent: true,
  isDeleted: true,
  isDirect: true,
  isEmailConfirmed: true,
  isOn: true,
  isQueued: true,
  isSent: true,
  isSlugUsed: true,
  isSold: true,
  isTakenDown: true,
  "items.error": "value is out of range",
  "items.key": "7",
  "items.kind": "check-domains",
  job: "scrape-metadata",
  joinedAt: TIME,
  "keys.key": `tt_4fQz${"a".repeat(32)}`,
  "keys.name": "Nightly script",
  "labels.id": 7,
  "labels.name": "Camping",
  labelsRevision: "7",
  lastAttemptAt: TIME,
  lastLoginAt: TIME,
  lastDay: "2026-10-31",
  limit: "50",
  linkId: 1042,
  "links.count": 1,
  "links.fallbackUrl": "https://www.amazon.de/s?k=mugs",
  "links.name": "Mug of the camping list",
  "login.id": 42,
  marketplace: "de",
  "members.id": 57,
  "members.name": "Ben",
  "members.role": "editor",
  "members.url": `${SITE}/join#token=${SECRET}`,
  "members.username": "ben",
  "memberships.id": 42,
  "memberships.role": "editor",
  missing: null,
  nextAttemptAt: "2026-11-20T18:10:12.345Z",
  nextCheckAt: "2026-11-26T16:00:00.000Z",
  nickname: "Mug of the camping list",
  object: CODE,
  of: CODE,
  oneLink: ["fr"],
  openCount: 1,
  opened: 7,
  ordered: 13,
  originalUrl: URL,
  otherAccountDayCount: 0,
  "owner.id": 42,
  people: 230,
  perMonth: 8400,
  prefetch: 0,
  preview: 3,
  product_id: "B0ZZ1Y2X3W",
  productName: "Camping mug",
  q: "mug",
  question: null,
  quietHours: null,
  rate: 1.15,
  "rates.currency": "GBP",
  reason: "misleading",
  "records.name": HOST,
  refusal: null,
  replacedDayCount: 0,
  "reports.kind": "earnings",
  "resolve-link.url": "https://amzn.eu/d/3uRoPe1",
  resolvedUrl: URL,
  responseStatus: 500,
  returned: 1,
  revenue: 46_000,
  revokesKeys: "true",
  rootUrl: "https://www.amazon.de/shop/anna",
  row: "instagram-ios",
  "rows.key": CODE,
  "rows.links": [],
  "rows.match": "link",
  "rows.name": "Camping mug",
  scopes: ["links:read", "links:write"],
  secret: `whsec_${"a".repeat(43)}=`,
  "seen.name": HOST,
  served: true,
  "sessions.id": "d6J5vPz0Qm2xTn8Rk4LwYA",
  settings: ["WEBHOOK_KEYS"],
  "shared-pages.id": 3,
  "shared-pages.name": "Camping Co., autumn",
  "shared-pages.url": `${SITE}/shared#vQ5mT0bW8yKc2RzN7fLxJ1aHsDgPe4Ui`,
  "sharedPages.id": 3,
  "sharedPages.name": "Camping Co., autumn",
  shipped: 12,
  shortCode: CODE,
  shortCodes: [CODE],
  shortUrl: `${SITE}/l/${CODE}`,
  showsDisclosure: true,
  since: TIME,
  siteName: "Amazon.de",
  slugLink: "camping-mug",
  start: "tt_4fQz",
  storeId: "",
  tag: "anna-21",
  tagSource: "channel",
  timeZone: "Europe/Berlin",
  title: "Enamel mug, 350 ml",
  to: "B0ZZ1Y2X3W",
  token: SECRET,
  uid: "Zq3vYt8Wc1hN5bKx7RmLpD2sEfGa",
  "unchanged.name": "Cup of the camping list",
  "unchanged.shortCode": "k7m2pqs",
  "unreadLines.text": "Total, 131, 6, 4127.60, 184.52",
  until: "2026-11-20",
  url: URL,
  "user.id": 42,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  userId: 42,
  username: "anna",
  "users.domains": [HOST],
  "users.id": 42,
  "users.q": "anna",
  value: "tapthru.example",
  visitors: 10,
  "webhooks.events": ["link.created", "link.deleted"],
  "webhooks.id": 5,
  "webhooks.type": "link.created",
  "webhooks.url": "https://hooks.anna.example/tapthru",
  webUrl: URL,
  weeklyEmail: "on",
};

const BY_FORMAT = { date: "2026-11-20", datetime: TIME, uuid: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed" };

export interface Example {
  params?: object;
  query?: object;
  body?: unknown;
  replies: Record<string, unknown>;
}

/** A request of the call and its replies, made from their fields; what the call says itself, in `example`, comes first. */
export function exampleOf({ path, params, query, body, replies, example = {} }: DocumentedCall): Example {
  const resource = /^\/api\/(?:operator\/)?([^/]+)/.exec(path)?.[1] ?? "";
  const request = (schema: z.ZodMiniType, given: unknown) => fill(schema, { io: "input", around: resource }, given);
  return {
    ...(params && { params: Object(request(params, example.params)) }),
    ...(query && { query: Object(request(query, example.query)) }),
    ...(body && { body: request(body, example.body) }),
    replies: Object.fromEntries(
      Object.entries(replies).map(([status, schema]) => [
        status,
        fill(schema, { io: "output", around: resource }, Object(example.replies)[status]),
      ]),
    ),
  };
}

interface Place {
  io: "input" | "output";
  /** The resource of the call, or the field in which `name` is. */
  around: string;
  name?: string;
}

function fill(schema: z.core.$ZodType, place: Place, given?: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object" && given !== null) return objectOf(schema as z.core.$ZodObject, place, Object(given));
  if (given !== undefined) return given;
  const { io, around, name = "" } = place;
  const known = [VALUES[`${around}.${name}`], VALUES[name]].flatMap((value) => [
    value,
    ...(typeof value === "number" ? [String(value)] : []),
  ]);
  const found = known.find((value) => value !== undefined && z.core.safeParse(schema, value).success);
  if (found !== undefined) return found;
  switch (def.type) {
    case "array":
      return [fill(def.element, place)];
    case "nullable":
      return ["object", "array"].includes(def.innerType._zod.def.type) ? fill(def.innerType, place) : null;
    case "optional":
    case "default":
      return fill(def.innerType, place);
    case "union":
      return fill(def.options[0] as z.core.$ZodType, place);
    case "pipe":
      return fill(io === "input" ? def.in : def.out, place);
    case "enum":
      return Object.values(def.entries)[0];
    case "literal":
      return def.values[0];
    case "boolean":
      return false;
    case "number":
      return 12;
    case "record":
      return {};
  }
  const text = Object(BY_FORMAT)[Object(def).format];
  if (text === undefined) throw new Error(`The field ${around}.${name} needs an example.`);
  return text;
}

/** Optional fields are left out, unless a request has no other: then it has the first. */
function objectOf(schema: z.core.$ZodObject, { io, around, name }: Place, given: object): object {
  const fields = Object.entries(schema._zod.def.shape);
  const needed = fields.filter(([field, type]) => {
    const { optin, optout } = type._zod;
    return (io === "input" ? optin : optout) === undefined || Object.hasOwn(given, field);
  });
  const shown = needed.length === 0 && io === "input" ? fields.slice(0, 1) : needed;
  return Object.fromEntries(
    shown.map(([field, type]) => [
      field,
      fill(type, { io, around: name ?? around, name: field }, Object(given)[field]),
    ]),
  );
}
