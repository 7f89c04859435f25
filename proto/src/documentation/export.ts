import type * as exportCalls from "../http/export.ts";
import { LINKS_CSV_COLUMNS } from "../rules/links-csv.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_LINK } from "./example-values.ts";

const { originalUrl: url, shortCode, nickname, labels, shortUrl, createdAt } = EXAMPLE_LINK;
const clicks = { person: 12, preview: 1, bot: 1, prefetch: 0, opened: 9 };
const CSV_LINE = [
  url,
  shortCode,
  "",
  nickname,
  "Camping",
  "",
  shortUrl,
  nickname,
  "live",
  createdAt,
  "",
  "",
];

export const exportDocumentation: DocumentationOf<typeof exportCalls> = {
  exportLinks: {
    tag: "Links",
    summary: "Export links",
    description:
      "All links of the user, newest first, or those that match the conditions of the list, or those with one of the `ids`, separated by commas. `clicks` are those of all days for which clicks are kept. `format=csv` gives UTF-8 with a byte order mark, a header and CRLF; a cell that a spreadsheet would read as a formula begins with an apostrophe, which an import removes. Labels of one link are separated by semicolons; a backslash precedes a semicolon or backslash of a name. The reply is streamed: if the service fails in the middle, the connection is reset.",
    access: [["session"], ["links:read", "clicks:read"]],
    limit: "ownAccount",
    errors: [],
    replyHeaders: {
      "Content-Disposition": {
        description: "Names the file.",
        example: 'attachment; filename="links.json"',
      },
    },
    otherTypes: {
      "text/csv": `${LINKS_CSV_COLUMNS.join(",")}\r\n${[...CSV_LINE, ...Object.values(clicks)].join(",")}\r\n`,
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
              title: null,
              nickname,
              labels,
              expiresAt: null,
              shortUrl,
              name: nickname ?? "",
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
