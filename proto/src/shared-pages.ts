import * as z from "zod/mini";
import { resource } from "./call.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_CODE } from "./example-values.ts";
import { keyName, numberText, rowId } from "./fields.ts";
import { linkNotFound, notFound } from "./general-errors.ts";
import { labelNotFound } from "./labels.ts";
import { error } from "./rules/error.ts";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "./rules/limits.ts";

const SHARED_PAGE_MAX_DAYS = 366;

const sharedPageEnd = `Please choose a day from today on, less than ${SHARED_PAGE_MAX_DAYS} days away`;

const DAY_MS = 86_400_000;

/** A secret link to the clicks of one link, or of the links of one label, without the link itself. */
export const SharedPage = z.object({
  id: z.int(),
  name: z.string(),
  /** Null: the page is of a label. */
  linkId: z.nullable(z.int()),
  /** The short code of the link, or the name of the label. */
  of: z.string(),
  /** The last day in UTC. */
  endsOn: z.iso.date(),
});
export type SharedPage = z.infer<typeof SharedPage>;

/** `visitors`: see `ClickReport`. */
const counts = { person: z.int(), visitors: z.int(), preview: z.int(), bot: z.int() };

export const SharedClicks = z.object({
  name: z.string(),
  /** Null: the page is of a label. */
  shortUrl: z.nullable(z.string()),
  linkCount: z.int(),
  /** Such as `2026-11`, in UTC. */
  month: z.string(),
  totals: z.object(counts),
  days: z.array(z.object({ day: z.iso.date(), ...counts })),
});
export type SharedClicks = z.infer<typeof SharedClicks>;

function isNear(day: string): boolean {
  const days = (Date.parse(day) - Date.now()) / DAY_MS;
  return days > -1 && days < SHARED_PAGE_MAX_DAYS;
}

export const tooManySharedPages = error(
  "too-many-shared-pages",
  409,
  `You share clicks ${SHARED_PAGES_MAX_COUNT} times, the maximum. Please revoke one first.`,
);

const pages = resource("Clicks", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "editor" },
});

export const EXAMPLE_SHARED_PAGE: SharedPage = {
  id: 3,
  name: "Camping Co., autumn",
  linkId: 1042,
  of: EXAMPLE_CODE,
  endsOn: new Date(Date.now() + 90 * DAY_MS).toISOString().slice(0, 10),
};
const { id, name, linkId, endsOn } = EXAMPLE_SHARED_PAGE;
const TOKEN = "vQ5mT0bW8yKc2RzN7fLxJ1aHsDgPe4Ui";
const COUNTS = { person: 12, visitors: 9, preview: 3, bot: 1 };
const EXAMPLE_CLICKS: SharedClicks = {
  name,
  shortUrl: `${EXAMPLE_BASE_URL}/l/${EXAMPLE_CODE}`,
  linkCount: 1,
  month: "2026-11",
  totals: COUNTS,
  days: [{ day: "2026-11-01", ...COUNTS }],
};

export const createSharedPage = pages.post("/api/shared-pages", {
  needsConfirmedEmail: true,
  summary: "Share clicks",
  description: `The reply is the only one that contains the secret link. Everyone who has it sees taps of people, visitors, previews and bots by day in the last twelve months, of a label those of the ${SHARED_LINKS_MAX_COUNT} oldest links that it has when the page is read. It works until the end of \`endsOn\`, less than ${SHARED_PAGE_MAX_DAYS} days. A user has ${SHARED_PAGES_MAX_COUNT} at most.`,
  body: z.strictObject({
    of: z.union([z.strictObject({ linkId: z.int() }), z.strictObject({ labelId: rowId })]),
    name: keyName,
    endsOn: z.iso.date(sharedPageEnd).check(z.refine(isNear, sharedPageEnd)),
  }),
  replies: { 201: z.extend(SharedPage, { url: z.string() }) },
  errors: [labelNotFound, linkNotFound, tooManySharedPages],
  records: "shared-page.created",
  example: {
    body: { of: { linkId: linkId ?? 0 }, name, endsOn },
    replies: { 201: { ...EXAMPLE_SHARED_PAGE, url: `${EXAMPLE_BASE_URL}/shared#${TOKEN}` } },
  },
});

export const listSharedPages = pages.get("/api/shared-pages", {
  summary: "List shared clicks",
  description: "Newest first, without the secret links.",
  replies: { 200: z.array(SharedPage) },
  example: { replies: { 200: [EXAMPLE_SHARED_PAGE] } },
});

export const revokeSharedPage = pages.delete("/api/shared-pages/:id", {
  summary: "Stop sharing clicks",
  description: "The secret link stops working.",
  params: z.object({ id: numberText(/^\d{1,9}$/, notFound.message) }),
  replies: { 200: z.object({}) },
  errors: [notFound],
  records: "shared-page.deleted",
  example: { params: { id: String(id) }, replies: { 200: {} } },
});

export const readSharedPage = pages.post("/api/shared-pages/read", {
  summary: "Read shared clicks",
  description:
    "By the token of a secret link, without a login. `months` are those that can be read, the current one first; without a month, or with an empty one, it is read.",
  access: "anyone",
  limit: "readSharedPage",
  body: z.strictObject({
    token: z.string().check(z.maxLength(100)),
    month: z.optional(z.string().check(z.maxLength(7))),
  }),
  replies: { 200: z.extend(SharedClicks, { months: z.array(z.string()) }) },
  errors: [notFound],
  example: {
    body: { token: TOKEN },
    replies: { 200: { ...EXAMPLE_CLICKS, months: ["2026-11", "2026-10"] } },
  },
});
