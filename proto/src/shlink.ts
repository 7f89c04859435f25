import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { linkDomain, numberText, slug } from "./fields.ts";
import { linkNotFound } from "./general-errors.ts";
import { labelRefs } from "./labels.ts";
import { LinkConditions } from "./link-lists.ts";
import { OwnerFields } from "./owner-fields.ts";

export const SHLINK_PATH = "/rest/";

/** Clients send null or an empty text for what is not set. */
function orUnset<Schema extends z.ZodMiniType>(schema: Schema) {
  const unset = z.transform((value: unknown): unknown => (value === null || value === "" ? undefined : value));
  return z.optional(z.pipe(unset, z.optional(schema) as z.ZodMiniType)) as unknown as z.ZodMiniOptional<Schema>;
}

const removed = z.pipe(
  z.literal(""),
  z.transform(() => null),
);
const orRemoved = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(z.union([removed, schema])));

const { title, startsAt, expiresAt } = OwnerFields.shape;
const fields = {
  title: orRemoved(title),
  tags: orUnset(labelRefs),
  validSince: orRemoved(startsAt),
  validUntil: orRemoved(expiresAt),
  maxVisits: z.optional(z.null()),
};
const replies = { 200: z.looseObject({}) };

// They are not in the OpenAPI document: Shlink documents them.
const all = { path: "/rest/v3/short-urls", replies } as const;
const one = {
  path: "/rest/v3/short-urls/:shortCode",
  params: z.object({ shortCode: z.string().check(z.maxLength(300, linkNotFound.message)) }),
  query: z.strictObject({ domain: orUnset(linkDomain) }),
  replies,
} as const;

const health = { method: "GET", access: "anyone", replies } as const;
export const shlinkHealth = { ...health, path: "/rest/health" } satisfies Call;
export const shlinkVersionHealth = { ...health, path: "/rest/v3/health" } satisfies Call;

export const listShlinkUrls = {
  ...all,
  method: "GET",
  access: "links:read",
  /** Others are refused: a list must not leave out a condition in silence. */
  query: z.strictObject({
    page: orUnset(numberText(/^[1-9]\d{0,3}$/)),
    /** -1: as many as possible. */
    itemsPerPage: orUnset(numberText(/^-?\d{1,6}$/)),
    searchTerm: LinkConditions.shape.q,
    orderBy: orUnset(z.literal("dateCreated-DESC")),
  }),
} as const satisfies Call;

export const createShlinkUrl = {
  ...all,
  method: "POST",
  access: "links:write",
  limit: "generate",
  body: z.object({ ...fields, longUrl: z.string(), customSlug: orUnset(slug), domain: orUnset(linkDomain) }),
} as const satisfies Call;

export const getShlinkUrl = { ...one, method: "GET", access: "links:read" } as const satisfies Call;

export const updateShlinkUrl = {
  ...one,
  method: "PATCH",
  access: "links:write",
  body: z.object({ ...fields, longUrl: orUnset(z.string()) }),
} as const satisfies Call;

const deletion = { ...one, method: "DELETE", access: "links:write" } as const;
export const deleteShlinkUrl = { ...deletion, replies: { 204: z.undefined() } } satisfies Call;
