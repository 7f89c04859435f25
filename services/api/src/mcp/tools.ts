import { Channel, TAG_OF_NEW_LINKS } from "@tapthru/proto/channels";
import { ClickReport, getClicks, getLinkClicks } from "@tapthru/proto/clicks";
import { NewLink } from "@tapthru/proto/create-links";
import { Domain } from "@tapthru/proto/domains";
import { EarningsTable, getEarnings } from "@tapthru/proto/earnings";
import { invalidBody, invalidQuery } from "@tapthru/proto/general-errors";
import { listLinks } from "@tapthru/proto/link-lists";
import { Link, OWNER_TEXT_NAMES, updateLink } from "@tapthru/proto/links";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { CLICKS_MAX_DAYS, EARNINGS_PAGE_MAX_SIZE, LINKS_PAGE_MAX_SIZE } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { countUserRequest } from "../callers/guards.ts";
import { listDomains } from "../domains/domains.ts";
import { earningsTable } from "../earnings/earnings-table.ts";
import { findPeriod } from "../earnings/reports.ts";
import { parseInput } from "../http/parse-input.ts";
import { changeLink, countChange, tellingChange } from "../links/change-link.ts";
import { createRequestedLink } from "../links/create-links.ts";
import { linkReply } from "../links/link-reply.ts";
import { userLinksPage } from "../links/list-links.ts";
import { findCountedChannels } from "../resources/channels.ts";
import { clickReport, ownLinkScope } from "../resources/clicks.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Queries have text only; a tool takes numbers. */
const EarningsInput = z.strictObject({
  ...getEarnings.query.shape,
  limit: z._default(z.int().check(z.gte(1), z.lte(EARNINGS_PAGE_MAX_SIZE)), 20),
  days: z._default(z.int().check(z.gte(1), z.lte(CLICKS_MAX_DAYS)), 30),
  channel: z.optional(z.int32()),
});

const ListInput = z.strictObject({
  ...listLinks.query.shape,
  limit: z.optional(z.int().check(z.gte(1), z.lte(LINKS_PAGE_MAX_SIZE))),
  cursor: z.optional(z.string()),
  store: z.optional(z.enum(Object.keys(MARKETPLACES) as Marketplace[])),
  label: z.optional(z.int()),
  channel: z.optional(z.int()),
});

const { userId: _, ...changes } = updateLink.body.shape;
const EditInput = z.strictObject({ ...updateLink.params.shape, ...changes });

const ClicksInput = z.strictObject({
  shortCode: z.optional(getLinkClicks.params.shape.shortCode),
  ...getClicks.query.shape,
});

/** JSON Schema has no marketplaces. */
const ListedChannel = z.extend(Channel, {
  tags: z.array(z.object({ marketplace: z.string(), tag: z.string() })),
  untagged: z.array(z.object({ marketplace: z.string(), linkCount: z.int() })),
});

export function mcpTools(api: Api): Tool[] {
  return [
    defineTool({
      name: "create_link",
      title: "Create a short link",
      description: `Creates a short link that opens the Amazon app on phones and keeps the affiliate tag. \`url\` is the address of a page of an Amazon store, or a short link of Amazon such as amzn.to/… \`slug\` is an own short code: 3 to 50 of a to z, 0 to 9, \`-\` and \`_\`, on an own domain from 1; without it a code is generated. \`domain\` is an own domain of the user (see list_domains), or null for the host of this service; without it the link is on the user's default domain. \`channelId\` is the channel of the link (see list_channels). ${TAG_OF_NEW_LINKS} Each call creates a link.`,
      scope: "links:write",
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
      input: NewLink,
      output: Link,
      async run({ ctx, caller }, link) {
        await api.generateLimit.countAddress(ctx);
        await countUserRequest(api.generateLimit, ctx, caller.userId);
        const request = { link, idempotencyKey: undefined };
        return (await createRequestedLink(api, caller, request, ctx.state)).link;
      },
    }),
    defineTool({
      name: "list_links",
      title: "List short links",
      description:
        "Lists the user's short links, newest first. `q` is searched for in nickname, title, address, short code and names of labels. `show` selects links without an affiliate tag or links that need attention. All conditions apply together. If there are more links, pass `nextCursor` as `cursor`. `sort: clicks` and `last-tap` also require the scope clicks:read, `earnings` earnings:read.",
      scope: "links:read",
      input: ListInput,
      output: z.object({ links: z.array(Link), nextCursor: z.nullable(z.string()) }),
      run: ({ caller }, { limit, label, channel, ...input }) =>
        userLinksPage(
          api,
          caller,
          parseInput(
            listLinks.query,
            { ...input, limit: limit?.toString(), label: label?.toString(), channel: channel?.toString() },
            invalidQuery,
          ),
        ),
    }),
    defineTool({
      name: "edit_link",
      title: "Change a short link",
      description: `Changes one or several fields of the link with this \`shortCode\`, all or none: ${OWNER_TEXT_NAMES}, \`slug\` (a new short code; the earlier ones still open the link), \`domain\` (an own domain; null: the host of this service), \`expiresAt\` (null: never), \`fallbackUrl\` (the page of Amazon that opens until \`startsAt\`, and once the link has expired or its product is gone; null: that of the channel), \`opening\` (on phones: \`app\`, \`tap\`: the app after a tap only, or \`browser\`; null: as usual), \`imageUrl\` (one of Amazon's pictures; null: that of the page), \`url\` (another page of Amazon, which visitors get within a second), \`labels\` (ids or names, which replace those of the link), \`channelId\` (null: the default channel), or \`tagSource\` (\`channel\`: the tag of its channel replaces that of the link and changes with it; \`own\`: it stays as it is).`,
      scope: "links:write",
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      input: EditInput,
      output: Link,
      async run({ ctx, caller }, { shortCode: code, ...input }) {
        const change = parseInput(updateLink.body, input, invalidBody);
        await countChange(api, ctx, caller, change);
        const write = () => changeLink(api, { userId: caller.userId, shortCode: code }, change, ctx.state);
        return linkReply(await tellingChange(api, caller, code, write), api.publicBaseUrl);
      },
    }),
    defineTool({
      name: "get_clicks",
      title: "Count clicks",
      description:
        "Counts the clicks of one short link, or without `shortCode` of all links. `person` are taps of people; previews, bots and prefetches are counted separately. `from` and `to` are days of the time zone `tz` (`to` is included) or instants; by default the last 30 days. `interval` divides the series; `by` adds a breakdown, such as country, device, app or link.",
      scope: "clicks:read",
      input: ClicksInput,
      output: ClickReport,
      async run({ caller }, { shortCode, ...query }) {
        const { userId } = caller;
        const scope =
          shortCode === undefined ? { userId, linkIds: null } : await ownLinkScope(api.db, { userId, shortCode });
        return clickReport(api, caller, scope, query);
      },
    }),
    defineTool({
      name: "get_earnings",
      title: "Sum up earnings",
      description:
        "Sums up what the user's links earned according to the Amazon reports that they imported, by link, label, channel, store, product or day. Amounts are integers in the smallest unit of the currency, such as cents. `match` says how a row was matched: by the one link with tracking id and product, by several links that share both, by the channel of the tracking id, or not at all. `people` are taps of people on the same days. `from` and `to` are days; by default the last 30.",
      scope: "earnings:read",
      input: EarningsInput,
      output: EarningsTable,
      run: async ({ caller: { userId } }, query) => earningsTable(api, await findPeriod(api.db, userId, query), query),
    }),
    defineTool({
      name: "list_channels",
      title: "List channels",
      description:
        "Lists the places where the user publishes links, such as Instagram or a blog, with the tag of each Amazon store. The default channel comes first; links without a channel use it. `create_link` and `edit_link` take the `id` as `channelId`.",
      scope: "links:read",
      input: z.strictObject({}),
      output: z.object({ channels: z.array(ListedChannel) }),
      run: async ({ caller: { userId } }) => ({ channels: [...(await findCountedChannels(api.db, userId))] }),
    }),
    ...(api.hasDomains
      ? [
          defineTool({
            name: "list_domains",
            title: "List own domains",
            description:
              "Lists the user's own domains, by name, with their state. Links can be on those whose `state` is ordering, works or failing; new links are on the one with `isDefault`. `records` is what the DNS of a domain should have.",
            scope: "links:read",
            input: z.strictObject({}),
            output: z.object({ domains: z.array(Domain) }),
            run: async ({ caller: { userId } }) => ({ domains: await listDomains(api, userId) }),
          }),
        ]
      : []),
  ];
}
