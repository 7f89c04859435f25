import type * as importsCalls from "../http/imports.ts";
import type { Import, ImportLine } from "../http/imports.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_OWNER_FIELDS, EXAMPLE_STORE_URL } from "./example-values.ts";

const ID = "5f0c2c1e-8d4b-4a67-9f0e-2f6c1b7a9d30";

const READY: Import = {
  id: ID,
  fileName: "bitly.csv",
  format: "bitly",
  state: "ready",
  domain: null,
  fileDomains: [{ host: "bit.ly", isOwn: false }],
  channelId: 3,
  usesChannelTag: true,
  createdAt: "2026-11-20T18:05:12.345Z",
  startedAt: null,
  endedAt: null,
  counts: {
    ...{ lines: 2, links: 1, replaced: 0, refused: 1 },
    ...{ created: 0, retryable: 0, lost: 1, repairable: 0 },
  },
};
const RUNNING: Import = { ...READY, state: "running", startedAt: "2026-11-20T18:06:00.000Z" };
const FINISHED: Import = {
  ...RUNNING,
  state: "finished",
  endedAt: "2026-11-20T18:06:01.000Z",
  counts: { ...READY.counts, created: 1 },
};

const CANCELLED: Import = { ...FINISHED, state: "cancelled" };

const { nickname, title, expiresAt, ...otherFields } = EXAMPLE_OWNER_FIELDS;

const LINE: ImportLine = {
  line: 2,
  url: EXAMPLE_STORE_URL,
  slug: "3xyzabc",
  domain: "bit.ly",
  repairedUrl: null,
  nickname,
  title,
  ...otherFields,
  labels: ["camping"],
  expiresAt,
  state: "pending",
  refusal: null,
  replacement: null,
  isLost: false,
  shortUrl: null,
};
const REFUSED: ImportLine = {
  ...LINE,
  line: 3,
  url: "https://shop.example/mug",
  slug: "3xyzabd",
  nickname: null,
  labels: [],
  state: "refused",
  refusal: "not-an-amazon-link",
  isLost: true,
};
const CREATED: ImportLine = {
  ...LINE,
  state: "created",
  shortUrl: `${EXAMPLE_BASE_URL}/l/${LINE.slug}`,
};

const FILE = `long_url,link,title,tags\r\n${EXAMPLE_STORE_URL},https://bit.ly/3xYzAbC,Mug of the camping list,camping\r\nhttps://shop.example/mug,https://bit.ly/3xYzAbD,,\r\n`;

export const importsDocumentation: DocumentationOf<typeof importsCalls> = {
  createImport: {
    tag: "Imports",
    summary: "Send a file of links for import",
    description:
      "Returns what each line will become, and creates nothing. The body is a CSV of Bitly, Geniuslink, Shlink, YOURLS or Kutt, an export of this service, any table with a column of addresses, or one address in each line; 10,000 lines and 10 MB at most, in UTF-8, UTF-16 or Latin-1. Short codes are kept in lower case unless `replacement` says why not; clicks and dates of creation are not imported. `domain` is an own domain for all links of the file, or empty for the host of this service; without it they are on the user's default domain. A link whose short address in the file is on another own domain of the user stays on that one. `channel` is the id of the channel of all links, and with `usesChannelTag` addresses without a tag get that of the channel. It replaces an earlier import of the user that was not started.",
    errors: [
      "channel-not-found",
      "csv-expected",
      "domain-not-usable",
      "import-double-columns",
      "import-empty",
      "import-file-too-large",
      "import-format-unknown",
      "import-too-many-columns",
      "import-too-many-lines",
      "import-unreadable",
      "upload-too-slow",
    ],
    fileExample: FILE,
    example: {
      query: { name: "bitly.csv", channel: "3", usesChannelTag: "true" },
      replies: { 201: { ...READY, lines: [LINE, REFUSED], nextAfter: null } },
    },
  },
  listImports: {
    tag: "Imports",
    summary: "List imports",
    description:
      "The user's imports, newest first, ten at most. They are deleted 30 days after their end, or after a day if they were not started.",
    errors: [],
    example: { replies: { 200: [FINISHED] } },
  },
  getImport: {
    tag: "Imports",
    summary: "Get an import and its lines",
    description:
      "A page of lines, in their order, after the line `after`; `nextAfter` is the value for the next page. As CSV: the result of every line.",
    errors: ["import-not-found"],
    otherTypes: {
      "text/csv": `line,url,slug,result,reason,short_url\r\n2,${EXAMPLE_STORE_URL},${LINE.slug},created,,${CREATED.shortUrl}\r\n3,https://shop.example/mug,3xyzabd,refused,Not an Amazon link.,\r\n`,
    },
    example: {
      params: { id: ID },
      query: { show: "all", limit: "50" },
      replies: { 200: { ...FINISHED, lines: [CREATED, REFUSED], nextAfter: null } },
    },
  },
  repairImport: {
    tag: "Imports",
    summary: "Take the repaired addresses of an import",
    description:
      "Some lines have a `repairedUrl`: the address that was probably meant, for example without HTML entities. Takes those of all lines, before the start.",
    errors: ["import-not-found", "import-started"],
    example: { params: { id: ID }, replies: { 200: READY } },
  },
  startImport: {
    tag: "Imports",
    summary: "Start an import",
    description:
      "Creates the links in the background. Get the import for its progress. A user has one running import at a time. A finished import starts again for its `retryable` lines: their short links of Amazon could not be looked up.",
    errors: ["import-not-found", "import-running", "import-started"],
    example: { params: { id: ID }, replies: { 200: RUNNING } },
  },
  cancelImport: {
    tag: "Imports",
    summary: "Cancel an import",
    description:
      "Stops a running import. The links that it created stay; `counts.created` says how many. An import that has ended is returned as it is.",
    errors: ["import-not-found", "import-not-started"],
    example: { params: { id: ID }, replies: { 200: CANCELLED } },
  },
  deleteImport: {
    tag: "Imports",
    summary: "Delete an import",
    description: "Deletes an import that is not running. The links that it created stay.",
    errors: ["import-not-ended", "import-not-found"],
    example: { params: { id: ID }, replies: { 200: { id: ID } } },
  },
};
