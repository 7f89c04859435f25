import * as z from "zod/mini";
import { resource } from "./call.ts";
import { ClickReport, clickQuery } from "./clicks.ts";
import { keyName, numberText, rowId } from "./fields.ts";
import { linkNotFound, notFound } from "./general-errors.ts";
import { labelNotFound } from "./labels.ts";
import { error } from "./rules/error.ts";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "./rules/limits.ts";

const SHARED_PAGE_MAX_DAYS = 366;
const DAY_MS = 86_400_000;

const sharedPageEnd = `Please choose a day from today on, less than ${SHARED_PAGE_MAX_DAYS} days away`;
export const tooManySharedPages = error(
  "too-many-shared-pages",
  409,
  `You share clicks ${SHARED_PAGES_MAX_COUNT} times, the maximum. Please revoke one first.`,
);

export const SharedPage = z.object({
  id: z.int(),
  name: z.string(),
  /** Null if the page is of a label. */
  linkId: z.nullable(z.int()),
  /** The short code of the link, or the name of the label. */
  of: z.string(),
  /** The last day in UTC. */
  endsOn: z.iso.date(),
});
export type SharedPage = z.infer<typeof SharedPage>;

function isNear(day: string): boolean {
  const days = (Date.parse(day) - Date.now()) / DAY_MS;
  return days > -1 && days < SHARED_PAGE_MAX_DAYS;
}

const pages = resource("Clicks", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "editor" },
});

export const createSharedPage = pages.post("/api/shared-pages", {
  needsConfirmedEmail: true,
  summary: "Share clicks",
  description: `The reply is the only one that contains the secret link. Everyone who has it sees the page of clicks of the link, or together those of the ${SHARED_LINKS_MAX_COUNT} oldest links that the label has when the page is read. It works until the end of \`endsOn\`, less than ${SHARED_PAGE_MAX_DAYS} days. A user has ${SHARED_PAGES_MAX_COUNT} at most.`,
  body: z.strictObject({
    of: z.union([z.strictObject({ linkId: z.int() }), z.strictObject({ labelId: rowId })]),
    name: keyName,
    endsOn: z.iso.date(sharedPageEnd).check(z.refine(isNear, sharedPageEnd)),
  }),
  replies: { 201: z.extend(SharedPage, { url: z.string() }) },
  errors: [labelNotFound, linkNotFound, tooManySharedPages],
  records: "shared-page.created",
});

export const listSharedPages = pages.get("/api/shared-pages", {
  summary: "List shared clicks",
  description: "Newest first, without the secret links.",
  replies: { 200: z.array(SharedPage) },
});

export const revokeSharedPage = pages.delete("/api/shared-pages/:id", {
  summary: "Stop sharing clicks",
  description: "The secret link stops working.",
  params: z.object({ id: numberText(/^\d{1,9}$/, notFound.message) }),
  isFinal: true,
  replies: { 200: z.object({}) },
  errors: [notFound],
  records: "shared-page.deleted",
});

export const readSharedPage = pages.post("/api/shared-pages/read", {
  summary: "Read shared clicks",
  description:
    "By the token of a secret link, without a login. The body also has the parameters of `GET /api/clicks`, and the reply is the same, with the name of the page. `shortUrl` is null for a label.",
  access: "anyone",
  limit: "readSharedPage",
  body: z.strictObject({
    ...z.omit(clickQuery, { separator: true }).shape,
    token: z.string().check(z.maxLength(100)),
    by: z.optional(z.enum(["country", "store", "device", "app", "referrer", "source", "outcome"])),
  }),
  replies: {
    200: z.extend(ClickReport, { name: z.string(), shortUrl: z.nullable(z.string()), linkCount: z.int() }),
  },
  errors: [notFound],
  example: { body: { from: "2026-11-20", to: "2026-11-20", tz: "Europe/Berlin", by: "device" } },
});
