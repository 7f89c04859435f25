import type * as exportCalls from "../http/export.ts";
import { LINKS_CSV_COLUMNS, type LinksCsvColumn, linkCells } from "../http/links-csv.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_LINK, EXAMPLE_OWNER_FIELDS } from "./example-values.ts";

const { originalUrl: url, shortCode, domain, labels, shortUrl, createdAt } = EXAMPLE_LINK;
const { expiresAt, ...otherFields } = EXAMPLE_OWNER_FIELDS;
const name = EXAMPLE_OWNER_FIELDS.nickname;
const clicks = { person: 12, preview: 1, bot: 1, prefetch: 0, assistant: 1, opened: 9 };
const CELLS: Record<LinksCsvColumn, string | number> = {
  ...linkCells({
    ...EXAMPLE_OWNER_FIELDS,
    url,
    shortCode,
    labels: labels.map((label) => label.name),
  }),
  short_url: shortUrl,
  domain: "",
  name,
  state: "live",
  created_at: createdAt,
  earlier_urls: "",
  earlier_short_codes: "",
  ...clicks,
  channel: "",
};

export const exportDocumentation: DocumentationOf<typeof exportCalls> = {
  exportLinks: {
    tag: "Links",
    summary: "Export links",
    description:
      "All links of the user, newest first, or those that match the conditions of the list, or those with one of the `ids`, separated by commas. `clicks` are those of all days for which clicks are kept. `format=csv` gives UTF-8 with a byte order mark, a header and CRLF; a cell that a spreadsheet would read as a formula begins with an apostrophe, which an import removes. Labels of one link are separated by semicolons; a backslash precedes a semicolon or backslash of a name. The reply is streamed: if the service fails in the middle, the connection is reset.",
    access: [["session"], ["links:read", "clicks:read"]],
    errors: [],
    replyHeaders: {
      "Content-Disposition": {
        description: "Names the file.",
        example: 'attachment; filename="links.json"',
      },
    },
    otherTypes: {
      "text/csv": `${LINKS_CSV_COLUMNS.join(",")}\r\n${LINKS_CSV_COLUMNS.map((column) => CELLS[column]).join(",")}\r\n`,
    },
    example: {
      query: { format: "json" },
      replies: {
        200: {
          exportedAt: "2026-11-21T12:00:00.000Z",
          links: [
            {
              url,
              shortCode,
              domain,
              ...otherFields,
              labels,
              channel: null,
              expiresAt,
              shortUrl,
              name,
              state: "live",
              createdAt,
              history: { destinations: [], shortCodes: [] },
              clicks,
            },
          ],
        },
      },
    },
  },
};
