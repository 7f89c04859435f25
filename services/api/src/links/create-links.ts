import { NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { BulkLink } from "@tapthru/proto/create-links";
import { internal, loginRequired, tooManyRequests, unavailable } from "@tapthru/proto/general-errors";
import type { Link } from "@tapthru/proto/links";
import { SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import { ApiError } from "../http/errors.ts";
import { requireChannel } from "./change-tags.ts";
import type { Creator } from "./creator.ts";
import { parseDestination, type RequestState, resolveDestination } from "./destination.ts";
import { readKey } from "./idempotency-keys.ts";
import {
  advance,
  type CreateDependencies,
  type Item,
  insertUnknown,
  isPlanned,
  type PlannedItem,
  replayKeys,
} from "./insert-planned-links.ts";
import {
  chooseDomain,
  findLinkSettings,
  isAllowedName,
  type LinkSettings,
  requireAllowedName,
} from "./link-domains.ts";
import { linkReply } from "./link-reply.ts";

export interface CreateRequest {
  link: BulkLink | ApiError;
  idempotencyKey: string | undefined;
}

export interface Created {
  isNew: boolean;
  link: Link;
  /** The claim token that the first request with the key issued, for a visitor who still has none. */
  claimToken?: string | undefined;
}

/** @throws ApiError if the link cannot be created */
export async function createRequestedLink(
  app: CreateDependencies,
  creator: Creator,
  request: CreateRequest,
  state: RequestState,
): Promise<Created> {
  const [result] = await createRequestedLinks(app, creator, [request], state);
  if (result === undefined || result instanceof ApiError) throw result ?? new ApiError(internal);
  return result;
}

/**
 * Creates links, or returns those that were created with the same keys, or by the visitor for the same address within ten
 * minutes. The results are in order.
 * @throws ApiError if the budget for visitors' links is used up
 */
export async function createRequestedLinks(
  app: CreateDependencies,
  creator: Creator,
  requests: readonly CreateRequest[],
  state: RequestState,
): Promise<(Created | ApiError)[]> {
  const parsed = await mapInTurns(requests, (request) => planRequest(request, creator));
  const ofVisitor: LinkSettings = { channels: NO_CHANNELS, domain: null, domains: [] };
  const settings = creator.userId === null ? ofVisitor : (creator.settings ?? (await findLinkSettings(app, creator)));
  const place = (items: readonly Item[]) =>
    advance(items, (planned) => planned.map((item) => choosePlace(item, settings)));
  const atOnce = await place(parsed);
  // Otherwise the insert finds keys that were used before. For visitors it would use up their budget.
  const mustReplay =
    creator.userId === null || !atOnce.every((item) => isPlanned(item) && item.destination.kind === "page");
  const placed = mustReplay ? await place(await advance(parsed, (planned) => replayKeys(app, planned))) : atOnce;
  if (creator.userId === null && placed.some(isPlanned)) await creator.takeBudget();
  const resolved = await advance(placed, (planned) => resolveShortLinks(app, planned, state));
  const owner = { ...creator, ...settings };
  // Those that lead where an earlier one does are known once that is created.
  const first = new Set(withoutRepeats(resolved));
  const insertFirst = (planned: readonly PlannedItem[]) => insertUnknown(app, owner, planned, state);
  const created = await advance(resolved, insertFirst, (item) => first.has(item));
  const finished = await advance(created, insertFirst);
  return mapInTurns(finished, (item) => {
    if (isPlanned(item)) return new ApiError(unavailable);
    if (item instanceof ApiError) return item;
    const link = linkReply(item.row, app.publicBaseUrl);
    return link.invalid ? new ApiError(unusableLink) : { ...item, link };
  });
}

/** For `catch`: returns what is reported to the client, and throws any other error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Leaves out the links that must be new and lead to the page of an earlier one. */
function withoutRepeats(items: readonly Item[]): PlannedItem[] {
  const pages = new Set<string>();
  return items.filter(isPlanned).filter(({ link, destination }) => {
    const address = destination.kind === "page" ? destination.page.webUrl : destination.url;
    const isRepeat = link.unlessKnown === true && pages.has(address);
    pages.add(address);
    return !isRepeat;
  });
}

function planRequest({ link, idempotencyKey: keyText }: CreateRequest, creator: Creator): Item {
  if (link instanceof ApiError) return link;
  const isOfUser = link.usesChannelTag === true || (link.channelId ?? link.domain ?? null) !== null;
  // The login of who chose it has ended: without it, the link would lose its tag and its owner.
  if (creator.userId === null && isOfUser) return new ApiError(loginRequired);
  const destination = parseDestination(link.url);
  if (destination instanceof ApiError) return destination;
  const key = keyText === undefined ? null : readKey(keyText, link, creator);
  return { link, destination, domain: null, keyText, key, isSlugTaken: false };
}

function choosePlace(item: PlannedItem, { channels, domains }: LinkSettings): Item {
  const { slug, channelId, domain: wanted } = item.link;
  try {
    const domain = chooseDomain(domains, wanted);
    requireChannel(channels, { channelId });
    const isReplaced = slug !== undefined && item.link.mayReplaceSlug === true && !isAllowedName(slug, domain);
    if (isReplaced) return { ...item, domain, link: { ...item.link, slug: undefined } };
    if (slug !== undefined) requireAllowedName(slug, domain);
    return { ...item, domain };
  } catch (error) {
    return apiErrorOf(error);
  }
}

async function resolveShortLinks(
  app: CreateDependencies,
  items: readonly PlannedItem[],
  { redisBudget, releaseSlotDuring }: RequestState,
): Promise<readonly Item[]> {
  const short = items.filter(({ destination }) => destination.kind === "short");
  if (short.length === 0) return items;
  const resolved = new Set(short.slice(0, SHORT_LINKS_CREATE_MAX_COUNT));
  const resolve = async (item: PlannedItem): Promise<Item> => {
    if (item.destination.kind === "page") return item;
    if (!resolved.has(item))
      return new ApiError(tooManyRequests, {
        message: `At most ${SHORT_LINKS_CREATE_MAX_COUNT} of Amazon's short links can be created at once. Please send this one again.`,
      });
    const destination = await resolveDestination(app, item.destination, redisBudget).catch(apiErrorOf);
    return destination instanceof ApiError ? destination : { ...item, destination };
  };
  return releaseSlotDuring(() => Promise.all(items.map(resolve)));
}
