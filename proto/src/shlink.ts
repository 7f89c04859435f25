import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { booleanText, linkDomain, numberText, slug } from "./fields.ts";
import { linkNotFound } from "./general-errors.ts";
import { labelRefs } from "./labels.ts";
import { LinkConditions, SITE_DOMAIN } from "./link-lists.ts";
import { OwnerFields } from "./owner-fields.ts";
import { LABEL_NAME_MAX_LENGTH, LABELS_PER_LINK_MAX_COUNT } from "./rules/limits.ts";

export const SHLINK_PATH = "/rest/";

/** Clients send null or an empty text for what is not set. */
function orUnset<Schema extends z.ZodMiniType>(schema: Schema) {
  const unset = z.transform((value: unknown): unknown => (value === null || value === "" ? undefined : value));
  return z.optional(z.pipe(unset, z.optional(schema) as z.ZodMiniType)) as unknown as z.ZodMiniOptional<Schema>;
}

/** Some clients send the whole path of a short link. */
const params = z.object({
  shortCode: z.string().check(
    z.maxLength(300, linkNotFound.message),
    z.toLowerCase(),
    z.overwrite((code) => code.replace(/^\/?l\//, "")),
  ),
});
/** What is not listed is refused by name: a list must not leave out a condition in silence. */
const query = z.strictObject({ domain: orUnset(linkDomain) });
const page = {
  page: orUnset(numberText(/^[1-9]\d{0,4}$/)),
  /** -1: as many as possible. */
  itemsPerPage: orUnset(numberText(/^-?\d{1,6}$/)),
};
const json = z.looseObject({});
const siteOrDomain = z.pipe(
  z.transform((value: unknown) => (value === "DEFAULT" ? SITE_DOMAIN : value)),
  LinkConditions.shape.domain,
);
const tag = z.string().check(z.maxLength(LABEL_NAME_MAX_LENGTH));
const oneOrMore = z.transform((value: unknown) => [value].flat());
const tags = z.pipe(oneOrMore, z.array(tag).check(z.maxLength(LABELS_PER_LINK_MAX_COUNT)));
const removed = z.pipe(
  z.literal(""),
  z.transform(() => null),
);

/** What links here cannot have. */
const never = { maxVisits: z.optional(z.null()) };
const time = z.iso.datetime({ offset: true, abort: true }).check(
  z.maxLength(40),
  z.overwrite((text) => new Date(text).toISOString()),
  z.regex(/^[1-9]/),
);

// They are not in the OpenAPI document: Shlink documents them.
const health = { method: "GET", access: "anyone", replies: { 200: json } } as const;
export const shlinkHealth = { ...health, path: "/rest/health" } satisfies Call;
export const shlinkVersionHealth = { ...health, path: "/rest/v3/health" } satisfies Call;

const all = { path: "/rest/v3/short-urls", replies: { 200: json } } as const;

export const listShlinkUrls = {
  ...all,
  method: "GET",
  access: "links:read",
  query: z.strictObject({
    ...page,
    domain: orUnset(siteOrDomain),
    searchTerm: LinkConditions.shape.q,
    "tags[]": orUnset(tags),
    tagsMode: orUnset(z.enum(["any", "all"])),
    /** The only order. */
    orderBy: orUnset(
      z.literal("dateCreated-DESC", "Links can only be ordered by dateCreated-DESC here, not by another orderBy."),
    ),
    startDate: orUnset(time),
    endDate: orUnset(time),
    /** Links here have no maximum. */
    excludeMaxVisitsReached: orUnset(booleanText),
    excludePastValidUntil: orUnset(z.literal("false", "Expired links cannot be excluded here: excludePastValidUntil.")),
  }),
} as const satisfies Call;

export const createShlinkUrl = {
  ...all,
  method: "POST",
  access: "links:write",
  limit: "generate",
  body: z.object({
    longUrl: z.string(),
    customSlug: orUnset(slug),
    title: orUnset(OwnerFields.shape.title),
    tags: orUnset(labelRefs),
    validSince: orUnset(OwnerFields.shape.startsAt),
    validUntil: orUnset(OwnerFields.shape.expiresAt),
    domain: orUnset(linkDomain),
    findIfExists: orUnset(z.boolean()),
    ...never,
  }),
} as const satisfies Call;

const one = { path: "/rest/v3/short-urls/:shortCode", params, query, replies: { 200: json } } as const;

export const getShlinkUrl = { ...one, method: "GET", access: "links:read" } as const satisfies Call;

export const updateShlinkUrl = {
  ...one,
  method: "PATCH",
  access: "links:write",
  body: z.object({
    longUrl: orUnset(z.string()),
    title: z.optional(z.nullable(z.union([removed, OwnerFields.shape.title]))),
    tags: orUnset(labelRefs),
    validSince: z.optional(z.nullable(OwnerFields.shape.startsAt)),
    validUntil: z.optional(z.nullable(OwnerFields.shape.expiresAt)),
    ...never,
  }),
} as const satisfies Call;

export const deleteShlinkUrl = {
  ...one,
  method: "DELETE",
  access: "links:write",
  replies: { 204: z.undefined() },
} as const satisfies Call;

export const listShlinkVisits = {
  ...one,
  path: "/rest/v3/short-urls/:shortCode/visits",
  query: z.strictObject({
    ...query.shape,
    ...page,
    startDate: orUnset(time),
    endDate: orUnset(time),
    excludeBots: orUnset(booleanText),
  }),
  method: "GET",
  access: "clicks:read",
} as const satisfies Call;

const list = { method: "GET", access: "links:read", query: z.strictObject({}), replies: { 200: json } } as const;
export const listShlinkTags = {
  ...list,
  path: "/rest/v3/tags",
  /** All tags are on the first page. */
  query: z.strictObject({
    ...page,
    withStats: orUnset(z.literal("false", "Tags have no figures here: withStats.")),
  }),
} satisfies Call;
export const listShlinkDomains = { ...list, path: "/rest/v3/domains" } satisfies Call;
