import * as z from "zod/mini";
import { REPORT_KINDS } from "../rules/earnings.ts";
import { User } from "./accounts.ts";
import { Activity } from "./activity.ts";
import { AmazonAdsConnection } from "./amazon-ads.ts";
import type { Call } from "./call.ts";
import { Channel } from "./channels.ts";
import { Domain } from "./domains.ts";
import { EarningsRates } from "./earnings.ts";
import { EarningsImport } from "./earnings-imports.ts";
import { Import } from "./imports.ts";
import { ApiKey } from "./keys.ts";
import { Label } from "./labels.ts";
import { LinkHistory } from "./link-history.ts";
import { Link } from "./links.ts";
import { LinkPattern } from "./patterns.ts";
import { RoutingSettings } from "./routing.ts";
import { oneLinkStore, StoreTag } from "./stores.ts";
import { Webhook } from "./webhooks.ts";

export const ExportedLink = z.extend(Link, {
  history: LinkHistory,
  clicks: z.array(z.object({ day: z.iso.date(), counts: z.record(z.string(), z.int()) })),
});

/** What a report says about a day, tracking id and product; null: it has no such column. */
export const ExportedEarnings = z.object({
  importId: z.uuid(),
  report: z.enum(REPORT_KINDS),
  marketplace: z.string(),
  storeId: z.string(),
  currency: z.string(),
  day: z.iso.date(),
  tag: z.string(),
  asin: z.string(),
  productName: z.nullable(z.string()),
  isDirect: z.nullable(z.boolean()),
  earnings: z.nullable(z.int()),
  revenue: z.nullable(z.int()),
  ordered: z.nullable(z.int()),
  shipped: z.nullable(z.int()),
  returned: z.nullable(z.int()),
  clicks: z.nullable(z.int()),
});
export type ExportedEarnings = z.infer<typeof ExportedEarnings>;

/** All data stored about a user, except credentials: keys, tokens and hashes. */
export const AccountExport = z.object({
  exportedAt: z.iso.datetime(),
  user: z.extend(User, { firebaseUid: z.string() }),
  sessions: z.array(
    z.object({
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      userAgent: z.nullable(z.string()),
    }),
  ),
  amazonAds: z.nullable(AmazonAdsConnection),
  /** The tags of the default channel. */
  storeTags: z.array(StoreTag),
  channels: z.array(Channel),
  oneLinkStores: z.array(oneLinkStore),
  /** Null if the user never saved any. */
  routing: z.nullable(RoutingSettings),
  /** The weekly email; `lastSentAt` is null if none was sent. */
  digest: z.object({
    isOn: z.boolean(),
    emailIsVerified: z.boolean(),
    lastSentAt: z.nullable(z.iso.datetime()),
  }),
  domains: z.array(Domain),
  linkPatterns: z.array(LinkPattern),
  apiKeys: z.array(ApiKey),
  /** Without their secrets. */
  webhooks: z.array(Webhook),
  labels: z.array(Label),
  /** Without their lines, which `GET /api/imports/:id` has. */
  imports: z.array(Import),
  earningsRates: EarningsRates,
  /** Without their secrets. */
  earningsImports: z.array(EarningsImport),
  /** What was changed in the account, the newest first, at most ACTIVITY_EXPORT_MAX_COUNT. */
  activity: z.array(Activity),
  /** The rows of all reports, by report and day. */
  earnings: z.array(ExportedEarnings),
  /** The user's links, newest first. `clicks`: counts by day in UTC, such as `person` or `device ios`. */
  links: z.array(ExportedLink),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = {
  method: "GET",
  path: "/api/account/export",
  access: "session",
  limit: "ownAccount",
  replies: { 200: AccountExport },
} as const satisfies Call;

/**
 * Deletes the user, their links, sessions and connections, and their identity at the identity provider. Success means
 * that the deletion is stored and will be completed even after failures. `email` must be the account's address.
 * The session must be from a recent login; `replaceSessions` renews it.
 */
export const deleteAccount = {
  method: "DELETE",
  path: "/api/account",
  access: "session",
  limit: "ownAccount",
  body: z.strictObject({ email: z.string() }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
