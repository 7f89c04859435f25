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
    version: "1.7.0",
    date: "2026-11-27",
    change:
      "Clicks have `assistant`, and `by=referrer` the key `assistants` in place of the hosts of assistants. `GET` and `PUT /api/routing` have `assistantsGetTag`. Pages of other sites may send requests with an API key and without cookies. Links and channels have `fallbackUrl`, which `POST /api/links`, `PATCH /api/links/{shortCode}`, `POST /api/channels`, `PATCH /api/channels/{id}` and imports set; `health` of a link has the `fallbackUrl` that opens now. `PUT /api/links/{shortCode}/untagged` creates the short link without tag, `untaggedUrl`. The clicks by store have the keys `fallback` and `untagged`. A `slug` may have underscores, and one or two characters on an own domain; a `rootUrl` opens only for `/`.",
  },
  {
    version: "1.6.0",
    date: "2026-11-26",
    change:
      "Calls of operators: `/api/operator`, with the scope `operator`. `GET /api/activity` lists what was changed in an account, with an API key of one link. `POST /api/generate` without an account may respond with `proof-of-work-required`; `GET /api/proof-of-work` has a challenge. `GET /api/link-ids` has the header `Link`, and its pages and those of `GET /api/links` may be short. `POST /api/login` and the calls that create links may respond with `account-disabled`. `DELETE` and `POST /api/sessions` revoke API keys with `revokesKeys`. Webhooks of operators have the event `link.reported`. Links have `labelsRevision`, with which `PATCH /api/links/{shortCode}` replaces labels; it may respond with `labels-changed`. Imports have `fileDomains`, the counts `lost` and `repairable`, and lines `domain`, `isLost` and `repairedUrl`, which `POST /api/imports/{id}/repair` takes.",
  },
  {
    version: "1.5.0",
    date: "2026-11-26",
    change:
      "Channels with a tag in each store: `/api/channels`. Links have `channelId` and `tagSource`, which `POST /api/links`, `POST /api/generate`, `PATCH /api/links/{shortCode}`, `PUT /api/links/bulk/channel`, imports and link patterns set. `/api/stores` has the tags of the default channel. Earnings by Amazon's reports: `/api/earnings`, `GET /api/links/{shortCode}/earnings`, imports of reports, with the scopes `earnings:read` and `earnings:write`. Webhooks have the event `channel.failing`. The export of an account has channels and earnings.",
  },
  {
    version: "1.4.0",
    date: "2026-11-26",
    change:
      "Own domains: `/api/domains`. Links have `domain`, which `POST /api/generate`, `POST /api/links`, `PATCH /api/links/{shortCode}`, `PUT /api/links/bulk/domain` and imports set. The short code of a link on an own domain is its name, `@` and the domain; exports as CSV have the domain in a column of its own. Webhooks have the event `domain.failing`.",
  },
  {
    version: "1.3.0",
    date: "2026-11-26",
    change:
      "`POST /api/users` accepts an `invitation`, may respond with `invitation-invalid` or `sign-up-closed`, and with `email-taken` only to a verified address. A user has `isOperator`.",
  },
  {
    version: "1.2.0",
    date: "2026-11-25",
    change:
      "Link patterns have `tags`, `linkCount` and `linkCountOfDay`. `PATCH /api/patterns/{id}` restricts a pattern to tags, and `DELETE /api/patterns/{id}/links` deletes the links that it created. `DELETE /api/account` requires a login of the last ten minutes.",
  },
  {
    version: "1.1.0",
    date: "2026-11-22",
    change:
      "`GET` and `PUT /api/links/{shortCode}/routing` say with `isOn` whether visitors of the link are sent to their own store. The clicks have the breakdown `by=store`.",
  },
  {
    version: "1.0.0",
    date: "2026-11-22",
    change:
      "First documented version: links, labels, imports, export, clicks, stores, webhooks, API keys, accounts and sessions.",
  },
];

const changes = API_CHANGES.map(
  ({ version, date, change }) => `- **${version}** (${date}): ${change}`,
);

export const API_DESCRIPTION = `Create, change and count short links that open in the Amazon app.

**Keys.** Create a key on your account page and send it with each request: \`Authorization: Bearer tt_…\`. A key has scopes: \`links:read\`, \`links:write\`, \`clicks:read\`, \`earnings:read\` and \`earnings:write\`.

**Errors.** An error is one sentence of text. With \`Accept: application/problem+json\` it is JSON with a \`code\`, by which programs decide. 429 and 503 have \`Retry-After\`: wait that many seconds. Requests that reach no call get 404, 405 or 501.

**Retries.** A call that reads, changes or deletes can be repeated. For calls that create links send an \`Idempotency-Key\`: a repeated request then returns the links of the first.

**Stability.** ${API_PROMISE}

**Changes**

${changes.join("\n")}
`;
