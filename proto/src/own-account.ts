import * as z from "zod/mini";
import { EXAMPLE_USER, emailDiffers, User } from "./accounts.ts";
import { Activity, EXAMPLE_ACTIVITY } from "./activity.ts";
import { AmazonAdsConnection, EXAMPLE_CONNECTION } from "./amazon-ads.ts";
import { resource } from "./call.ts";
import { Channel, EXAMPLE_CHANNEL } from "./channels.ts";
import { Domain, EXAMPLE_DOMAIN } from "./domains.ts";
import { EarningsRates } from "./earnings.ts";
import { EarningsAmounts, EarningsImport } from "./earnings-imports.ts";
import { EXAMPLE_UID } from "./example-values.ts";
import { recentLoginRequired } from "./general-errors.ts";
import { ApiKey, EXAMPLE_KEY } from "./keys.ts";
import { Label } from "./labels.ts";
import { LinkHistory } from "./link-history.ts";
import { EXAMPLE_LINK, Link } from "./links.ts";
import { EXAMPLE_MEMBERSHIP, listMembers, listMemberships } from "./members.ts";
import { RoutingSettings } from "./routing.ts";
import { REPORT_KINDS } from "./rules/earnings.ts";
import { error } from "./rules/error.ts";
import { EXAMPLE_SHARED_PAGE, SharedPage } from "./shared-pages.ts";
import { oneLinkStore, StoreTag } from "./stores.ts";
import { EXAMPLE_WEBHOOK, Webhook } from "./webhooks.ts";

export const ExportedLink = z.extend(Link, {
  history: LinkHistory,
  clicks: z.array(z.object({ day: z.iso.date(), counts: z.record(z.string(), z.int()) })),
});

export const ExportedDeletedLink = z.object({
  ...z.pick(Link, { id: true, shortCode: true, originalUrl: true, title: true, nickname: true, createdAt: true }).shape,
  deletedAt: z.iso.datetime(),
});
export type ExportedDeletedLink = z.infer<typeof ExportedDeletedLink>;

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
  category: z.nullable(z.string()),
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

const firebaseUid = EXAMPLE_UID;
const { email } = EXAMPLE_USER;

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
  example: {
    replies: {
      200: {
        exportedAt: "2026-11-21T12:00:00.000Z",
        user: { ...EXAMPLE_USER, firebaseUid },
        sessions: [
          {
            createdAt: "2026-11-21T08:00:00.000Z",
            lastSeenAt: "2026-11-21T11:58:00.000Z",
            userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
          },
        ],
        amazonAds: EXAMPLE_CONNECTION,
        domains: [EXAMPLE_DOMAIN],
        storeTags: [{ marketplace: "de", tag: "anna-21" }],
        channels: [EXAMPLE_CHANNEL],
        oneLinkStores: ["fr"],
        routing: { isOn: true, fallback: "original", assistantsGetTag: false },
        apiKeys: [EXAMPLE_KEY],
        members: [],
        memberships: [EXAMPLE_MEMBERSHIP],
        webhooks: [EXAMPLE_WEBHOOK],
        sharedPages: [EXAMPLE_SHARED_PAGE],
        labels: EXAMPLE_LINK.labels,
        earningsRates: { currency: "EUR", rates: [] },
        earningsImports: [],
        activity: [EXAMPLE_ACTIVITY],
        earnings: [
          {
            importId: "0f6f1c54-5b0d-4b0c-9a53-0d6d9d1d7a11",
            report: "earnings",
            marketplace: "de",
            storeId: "",
            currency: "EUR",
            day: "2026-11-20",
            tag: "anna-21",
            asin: "B0ZZ1Y2X3W",
            productName: "Camping mug",
            category: "Sports",
            isDirect: true,
            earnings: 92,
            revenue: 2300,
            ordered: null,
            shipped: 1,
            returned: 0,
            clicks: null,
          },
        ],
        links: [
          {
            ...EXAMPLE_LINK,
            history: { destinations: [], shortCodes: [] },
            clicks: [{ day: "2026-11-20", counts: { person: 12, bot: 1 } }],
          },
        ],
        deletedLinks: [
          {
            id: 7,
            shortCode: "oldmug",
            originalUrl: EXAMPLE_LINK.originalUrl,
            title: null,
            nickname: "Old mug",
            createdAt: "2026-11-01T10:00:00.000Z",
            deletedAt: "2026-11-21T09:30:00.000Z",
          },
        ],
      },
    },
  },
});

export const deleteAccount = accounts.delete("/api/account", {
  summary: "Delete the account",
  description:
    "Deletes the user, their links, sessions and connections, and their identity. `email` must be the address of the account, and the login of the session at most ten minutes old: `POST /api/sessions` renews it. The last operator cannot delete their account while there are other users. Success means that the deletion is stored and will be completed even after failures.",
  limit: "ownAccount",
  body: z.strictObject({ email: z.string() }),
  replies: { 200: z.object({}) },
  errors: [emailDiffers, lastOperator, recentLoginRequired],
  records: "account.deleted",
  example: { body: { email }, replies: { 200: {} } },
});
