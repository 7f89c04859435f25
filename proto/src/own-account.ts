import * as z from "zod/mini";
import { emailDiffers, User } from "./accounts.ts";
import { Activity } from "./activity.ts";
import { AmazonAdsConnection } from "./amazon-ads.ts";
import { resource } from "./call.ts";
import { Channel } from "./channels.ts";
import { Domain } from "./domains.ts";
import { EarningsRates } from "./earnings.ts";
import { EarningsAmounts, EarningsImport } from "./earnings-imports.ts";
import { StoreTag } from "./fields.ts";
import { recentLoginRequired } from "./general-errors.ts";
import { ApiKey } from "./keys.ts";
import { Label } from "./labels.ts";
import { LinkHistory } from "./link-history.ts";
import { Link } from "./links.ts";
import { listMembers, listMemberships } from "./members.ts";
import { RoutingSettings } from "./routing.ts";
import { REPORT_KINDS } from "./rules/earnings.ts";
import { error } from "./rules/error.ts";
import { SharedPage } from "./shared-pages.ts";
import { oneLinkStore } from "./stores.ts";
import { Webhook } from "./webhooks.ts";

export const ExportedLink = z.extend(Link, {
  history: LinkHistory,
  clicks: z.array(z.object({ day: z.iso.date(), counts: z.record(z.string(), z.int()) })),
});

export const ExportedDeletedLink = z.object({
  ...z.pick(Link, { id: true, shortCode: true, originalUrl: true, title: true, nickname: true, createdAt: true }).shape,
  deletedAt: z.iso.datetime(),
});
export type ExportedDeletedLink = z.infer<typeof ExportedDeletedLink>;

/** The figures of a report for a day, tracking id and product; null if it has no such column. */
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
  ...EarningsAmounts.shape,
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
  domains: z.array(Domain),
  apiKeys: z.array(ApiKey),
  members: listMembers.replies[200],
  memberships: listMemberships.replies[200],
  webhooks: z.array(Webhook),
  sharedPages: z.array(SharedPage),
  labels: z.array(Label),
  earningsRates: EarningsRates,
  earningsImports: z.array(EarningsImport),
  activity: z.array(Activity),
  earnings: z.array(ExportedEarnings),
  /** The user's links, newest first. `clicks`: counts by day in UTC, such as `person` or `device ios`. */
  links: z.array(ExportedLink),
  deletedLinks: z.array(ExportedDeletedLink),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const lastOperator = error(
  "last-operator",
  409,
  "You are the only operator. Make another user an operator first.",
);

const accounts = resource("Accounts", { reads: "session", writes: "session" });

export const exportAccount = accounts.get("/api/account/export", {
  summary: "Export the account",
  description: "Everything stored about the user except credentials, as a file.",
  limit: "ownAccount",
  replies: { 200: AccountExport },
  replyHeaders: {
    "Content-Disposition": {
      description: "Names the file.",
      example: 'attachment; filename="account.json"',
    },
  },
  example: { replies: { 200: { earningsImports: [] } } },
});

export const deleteAccount = accounts.delete("/api/account", {
  summary: "Delete the account",
  description:
    "Deletes the user, their links, sessions and connections, and their identity. `email` must be the address of the account, and the login of the session at most ten minutes old: `POST /api/sessions` renews it. The last operator cannot delete their account while there are other users. Success means that the deletion is stored and will be completed even after failures.",
  limit: "ownAccount",
  body: z.strictObject({ email: z.string() }),
  isFinal: true,
  replies: { 200: z.object({}) },
  errors: [emailDiffers, lastOperator, recentLoginRequired],
  records: "account.deleted",
});
