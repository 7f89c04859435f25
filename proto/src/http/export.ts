import * as z from "zod/mini";
import { LINKS_EXPORT_SELECTED_MAX_COUNT } from "../rules/limits.ts";
import type { Call } from "./call.ts";
import { numberText } from "./fields.ts";
import { Label } from "./labels.ts";
import { LinkHistory } from "./link-history.ts";
import { listLinks } from "./links.ts";
import { StoredOwnerFields } from "./owner-fields.ts";

export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What visitors get: the destination, or a page that says that the link cannot be opened. */
const LinkState = z.enum(["live", "expired", "taken-down", "invalid"]);
export type LinkState = z.infer<typeof LinkState>;

const { expiresAt, ...otherFields } = StoredOwnerFields.shape;

/** `title` is the owner's: null if the link shows that of the page. */
export const LinkInExport = z.object({
  url: z.string(),
  shortCode: z.string(),
  domain: z.nullable(z.string()),
  ...otherFields,
  labels: z.array(Label),
  /** The name of the link's own channel. */
  channel: z.nullable(z.string()),
  expiresAt,
  shortUrl: z.string(),
  /** The name that the owner sees. */
  name: z.string(),
  state: LinkState,
  createdAt: z.iso.datetime(),
  history: LinkHistory,
  /** Of all days for which clicks are kept. */
  clicks: z.object({
    person: z.int(),
    preview: z.int(),
    bot: z.int(),
    prefetch: z.int(),
    assistant: z.int(),
    opened: z.int(),
  }),
});
export type LinkInExport = z.infer<typeof LinkInExport>;

export const LinksExport = z.object({
  exportedAt: z.iso.datetime(),
  links: z.array(LinkInExport),
});
export type LinksExport = z.infer<typeof LinksExport>;

/** Ids separated by commas. */
const ids = z.pipe(
  z.string().check(z.maxLength(16 * LINKS_EXPORT_SELECTED_MAX_COUNT)),
  z.pipe(
    z.transform((text: string) => text.split(",")),
    z.array(numberText(/^\d{1,15}$/)).check(z.maxLength(LINKS_EXPORT_SELECTED_MAX_COUNT)),
  ),
);

const { q, store, show, label } = listLinks.query.shape;

/**
 * The user's links, newest first: all, or those that match the conditions of the list, or of these `ids`. As CSV (UTF-8
 * with a byte order mark, columns of `LINKS_CSV_COLUMNS`) or as JSON. If reading fails after the reply has begun, the
 * connection is reset.
 */
export const exportLinks = {
  method: "GET",
  path: "/api/export",
  access: "links:read",
  limit: "exportLinks",
  query: z.object({
    format: z.enum(EXPORT_FORMATS),
    q,
    store,
    show,
    label,
    ids: z.optional(ids),
  }),
  replies: { 200: LinksExport },
} as const satisfies Call;
