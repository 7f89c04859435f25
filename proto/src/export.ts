import * as z from "zod/mini";
import { resource } from "./call.ts";
import { csvSeparator, inputs, numberText } from "./fields.ts";
import { Label } from "./labels.ts";
import { LinkHistory } from "./link-history.ts";
import { LinkConditions } from "./link-lists.ts";
import { LINKS_CSV_COLUMNS } from "./links-csv.ts";
import { StoredOwnerFields } from "./owner-fields.ts";
import { LINKS_EXPORT_SELECTED_MAX_COUNT } from "./rules/limits.ts";

/** The visitors' response: the destination, or a page that says that the link cannot be opened. */
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
  channel: z.nullable(z.string()),
  expiresAt,
  shortUrl: z.string(),
  name: z.string(),
  state: LinkState,
  createdAt: z.iso.datetime(),
  history: LinkHistory,
  clicks: z.object({
    person: z.int(),
    preview: z.int(),
    bot: z.int(),
    prefetch: z.int(),
    assistant: z.int(),
    opened: z.int(),
    tried: z.int(),
  }),
});
export type LinkInExport = z.infer<typeof LinkInExport>;

export const LinksExport = z.object({
  exportedAt: z.iso.datetime(),
  links: z.array(LinkInExport),
});
export type LinksExport = z.infer<typeof LinksExport>;

const ids = z
  .pipe(
    z.string().check(z.maxLength(16 * LINKS_EXPORT_SELECTED_MAX_COUNT)),
    z.pipe(
      z.transform((text: string) => text.split(",")),
      z.array(numberText(/^\d{1,15}$/)).check(z.maxLength(LINKS_EXPORT_SELECTED_MAX_COUNT)),
    ),
  )
  .register(inputs, {
    as: {
      type: "string",
      pattern: `^[0-9]{1,15}(,[0-9]{1,15}){0,${LINKS_EXPORT_SELECTED_MAX_COUNT - 1}}$`,
      description: `1 to ${LINKS_EXPORT_SELECTED_MAX_COUNT} ids, separated by commas.`,
    },
  });

const links = resource("Links", { reads: "links:read", writes: "links:read" });

const EXAMPLE_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=anna-21";
const CSV_LINE = `${EXAMPLE_URL},k7m2pqr,,Mug,Camping,,https://tapthru.example/l/k7m2pqr,Mug,live,2026-11-20T18:05:12.345Z,,,12,1,1,0,9,,,,1,,,`;

export const exportLinks = links.get("/api/export", {
  summary: "Export links",
  description:
    "All links of the user, newest first, or those that match the conditions of the list, or those with one of the `ids`, separated by commas. `clicks` are those of all days for which clicks are kept. `format=csv` gives UTF-8 with a byte order mark, a header and CRLF; a cell that a spreadsheet would read as a formula begins with an apostrophe, which an import removes. Labels of one link are separated by semicolons; a backslash precedes a semicolon or backslash of a name. `redirects` are the lines of a file `_redirects`, with which Netlify, Cloudflare Pages or GitLab Pages open the links of one host, and the fallbacks of expired ones, by all their short codes. It has all links of `domain`, by default of the host of this service, whatever the other conditions. The reply is streamed: if the service fails in the middle, the connection is reset.",
  credentials: [["session"], ["links:read", "clicks:read"]],
  limit: "exportLinks",
  query: z.object({
    format: z.enum(["csv", "json", "redirects"]),
    ...LinkConditions.shape,
    ids: z.optional(ids),
    separator: csvSeparator,
  }),
  replies: { 200: LinksExport },
  replyHeaders: {
    "Content-Disposition": {
      description: "Names the file.",
      example: 'attachment; filename="links.json"',
    },
  },
  otherTypes: {
    "text/csv": `${LINKS_CSV_COLUMNS.join(",")}\r\n${CSV_LINE}\r\n`,
    "text/plain": `/mug ${EXAMPLE_URL} 302\n`,
  },
});
