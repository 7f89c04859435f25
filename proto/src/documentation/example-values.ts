import type { User } from "../http/accounts.ts";
import type { AmazonAdsConnection } from "../http/amazon-ads.ts";
import type { Channel } from "../http/channels.ts";
import type { Domain } from "../http/domains.ts";
import type { ApiKey } from "../http/keys.ts";
import type { Label } from "../http/labels.ts";
import type { Link } from "../http/links.ts";
import type { StoredOwnerFields } from "../http/owner-fields.ts";
import type { Webhook, WebhookDelivery } from "../http/webhooks.ts";

/** Values that the examples of several calls have in common. */
export const EXAMPLE_BASE_URL = "https://tapthru.example";
export const EXAMPLE_UID = "Zq3vYt8Wc1hN5bKx7RmLpD2sEfGa";
export const EXAMPLE_CODE = "k7m2pqr";
export const EXAMPLE_STORE_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=anna-21";
export const EXAMPLE_SHORT_STORE_URL = "https://amzn.eu/d/3uRoPe1";

export const EXAMPLE_USER: User = {
  id: 42,
  username: "anna",
  email: "anna@example.com",
  isOperator: false,
  createdAt: "2026-11-02T09:30:00.000Z",
};

export const EXAMPLE_LABEL: Label = { id: 7, name: "Camping", colour: "green" };

export const EXAMPLE_OWNER_FIELDS = {
  title: null,
  nickname: "Mug of the camping list",
  expiresAt: null,
  fallbackUrl: "https://www.amazon.de/s?k=mugs",
} as const satisfies StoredOwnerFields;
const { title: _, expiresAt, ...otherFields } = EXAMPLE_OWNER_FIELDS;

export const EXAMPLE_LINK: Link = {
  id: 1042,
  shortCode: EXAMPLE_CODE,
  shortUrl: `${EXAMPLE_BASE_URL}/l/${EXAMPLE_CODE}`,
  untaggedUrl: null,
  domain: null,
  originalUrl: EXAMPLE_STORE_URL,
  deepLink: `${EXAMPLE_BASE_URL}/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fwww.amazon.de%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Danna-21`,
  webUrl: EXAMPLE_STORE_URL,
  title: "Enamel mug, 350 ml",
  description: "An enamel mug for the campsite and the kitchen.",
  imageUrl: "https://m.media-amazon.com/images/I/71example.jpg",
  siteName: "Amazon.de",
  ...otherFields,
  userId: EXAMPLE_USER.id,
  expiresAt,
  createdAt: "2026-11-20T18:05:12.345Z",
  labels: [EXAMPLE_LABEL],
  labelsRevision: String(EXAMPLE_LABEL.id),
  channelId: 3,
  tagSource: "channel",
  takenDown: false,
  invalid: false,
  health: {
    state: "ok",
    since: "2026-11-20T18:05:20.000Z",
    checkedAt: "2026-11-21T18:20:31.000Z",
    source: "page",
    attemptedAt: "2026-11-21T18:20:31.000Z",
    fallbackUrl: null,
  },
};

export const EXAMPLE_CHANNEL: Channel = {
  id: 3,
  name: "Instagram",
  isDefault: false,
  tags: [{ marketplace: "de", tag: "anna-21" }],
  fallbackUrl: null,
  linkCount: 12,
};

export const EXAMPLE_HOST = "go.anna.example";

export const EXAMPLE_DOMAIN: Domain = {
  id: 3,
  host: EXAMPLE_HOST,
  state: "works",
  problem: null,
  records: [{ type: "CNAME", name: EXAMPLE_HOST, value: "tapthru.example" }],
  seen: [{ type: "CNAME", name: EXAMPLE_HOST, value: "tapthru.example" }],
  checkedAt: "2026-11-25T08:00:00.000Z",
  offAt: null,
  certificateExpiresAt: "2027-02-18T08:01:00.000Z",
  isDefault: true,
  hsts: false,
  rootUrl: "https://www.amazon.de/shop/anna",
  linkCount: 12,
  createdAt: "2026-11-20T08:00:00.000Z",
};

export const EXAMPLE_CONNECTION: AmazonAdsConnection = {
  accountName: "Anna",
  accountEmail: "anna@example.com",
  connectedAt: "2026-11-10T08:00:00.000Z",
};

export const EXAMPLE_KEY: ApiKey = {
  id: 12,
  name: "Nightly script",
  start: "tt_4fQz",
  scopes: ["links:read", "links:write"],
  createdAt: "2026-11-21T08:00:00.000Z",
  expiresAt: "2099-11-21T08:00:00.000Z",
  lastUsedAt: "2026-11-21T11:58:00.000Z",
};

export const EXAMPLE_WEBHOOK: Webhook = {
  id: 5,
  url: "https://hooks.anna.example/tapthru",
  events: ["link.created", "link.deleted"],
  state: "works",
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-11-22T08:00:00.000Z",
};

export const EXAMPLE_DELIVERY: WebhookDelivery = {
  id: "6f1c1f0e-6a37-4b0f-9d0e-0d7c1f7c2f54",
  type: "link.created",
  state: "failed",
  shortCode: EXAMPLE_CODE,
  createdAt: "2026-11-22T08:05:00.000Z",
  attempts: 10,
  lastAttemptAt: "2026-11-25T12:00:00.000Z",
  nextAttemptAt: null,
  responseStatus: 500,
  error: null,
};
