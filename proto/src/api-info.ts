/** What clients can rely on. docs/API.md says the same. */
export const API_PROMISE =
  "New calls, optional inputs, fields of replies, values, headers and error codes may appear at any time: ignore what you do not know. What exists keeps its name, type and meaning. A call, field or code is removed only in a new major version; its removal is announced here at least six months before. Texts for people, such as error messages, may change at any time, and so may limits.";

interface ApiChange {
  version: string;
  /** ISO date. */
  date: string;
  change: string;
}

/** The latest first. docs/API.md has the same list. */
export const API_CHANGES: readonly [ApiChange, ...ApiChange[]] = [
  {
    version: "1.3.0",
    date: "2026-11-29",
    change:
      "`startsAt` of links, `validSince` in Shlink's calls; `imageUrl` of links can be set. The breakdown of clicks by `page` also has the `from` of short links. `GET /api/amazon-ads/attribution`, `state` and `readAt` of the connection, `attribution` of the export. `/api/operator/abuse-reports` in place of `/api/operator/reports`. `POST /api/shared-pages/read` takes the parameters of `GET /api/clicks` and has its reply. Activity is searched by `q` and read by sessions only, without CSV; that of operators has neither `actor` nor `userId`, and `action` is a whole one.",
  },
  {
    version: "1.2.0",
    date: "2026-11-28",
    change:
      "`disabledReason` of webhooks, `isRefused` of the weekly email, the error `unreadable-event` of deliveries, `username` of keys. `email-not-confirmed` for what gives others access. `visitors` of shared clicks; several `tags[]` and `domain` in Shlink's lists, which refuse what they do not support. `POST /api/links/bulk/restore`, `POST /api/links/bulk/claim`, `deletedLinks` of the export; `POST /api/users` and `POST /api/login` by the cookie of the built-in identity provider; a repeated `Idempotency-Key` gets the status of the first reply; deletions, labels and channels of 1,000 links in one request. `Tapthru-Account: own`, a channel or an own domain without a login is refused; `hasUnknownTag` of links; a new destination without a tag gets that of the followed channel. `PATCH /api/links/{shortCode}` changes several fields together or none; `labels` without `labelsRevision` replace those of the link; the address that a link has already changes nothing. `separator` of CSV. `encoding`, `columns` and `tz` of imports, `reading` and `unclearExpiry` of their replies: an unclear expiry refuses its line. `by=referrer` of clicks counts the hosts of an app as one, its CSV each host. `opening` of links. `displayedName` and `showsDisclosure` of users. `GET /api/product-links` and `PUT /api/links/bulk/product`; `GET /api/amazon-answer`.",
  },
  {
    version: "1.1.0",
    date: "2026-11-28",
    change:
      "Members of accounts: `/api/members`, `/api/memberships`, the header `Tapthru-Account`, `actorUsername` of activity.",
  },
  { version: "1.0.0", date: "2026-11-27", change: "First version." },
];

export const API_CHANGES_TEXT = API_CHANGES.map(
  ({ version, date, change }) => `- **${version}** (${date}): ${change}`,
).join("\n");

export const API_DESCRIPTION = `Create, change and count short links that open in the Amazon app.

**Keys.** Create a key on your account page and send it with each request: \`Authorization: Bearer tt_…\`. A key has scopes: \`links:read\`, \`links:write\`, \`clicks:read\`, \`earnings:read\` and \`earnings:write\`.

**Errors.** An error is one sentence of text. With \`Accept: application/problem+json\` it is JSON with a \`code\`, by which programs decide. 429 and 503 have \`Retry-After\`: wait that many seconds. Requests that reach no call get 404, 405 or 501.

**Retries.** A call that reads, changes or deletes can be repeated. For calls that create links send an \`Idempotency-Key\`: a repeated request then returns the links of the first.

**Stability.** ${API_PROMISE}

**Changes**

${API_CHANGES_TEXT}
`;
