import * as z from "zod/mini";
import { SHORT_CODE_ALPHABET } from "../redirect/short-code.ts";
import { PATTERN_TAGS_MAX_COUNT } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { channelId, patternName, tag } from "./fields.ts";

/** 31^12: a pattern cannot be guessed. */
export const PATTERN_ID_LENGTH = 12;
export const PATTERN_ID: RegExp = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${PATTERN_ID_LENGTH}}$`);

/** A link pattern: visits of `prefix` and an encoded store address create a link of the user and open it. */
export const LinkPattern = z.object({
  /** Public: it is part of addresses on the user's pages. It can only create links. */
  id: z.string(),
  name: z.string(),
  /** The address to which the store address is appended, encoded as a query value. */
  prefix: z.string(),
  /** Only addresses with one of these tags get a link; empty: all. */
  tags: z.array(z.string()),
  /** Of the links that it creates; null: the user's default channel. */
  channelId: z.nullable(z.int()),
  /** Whether addresses without a tag get that of the channel. */
  usesChannelTag: z.boolean(),
  /** The links that the pattern created, and those of the last 24 hours. */
  linkCount: z.int(),
  linkCountOfDay: z.int(),
  createdAt: z.iso.datetime(),
});
export type LinkPattern = z.infer<typeof LinkPattern>;

/** The user's patterns, newest first. */
export const listPatterns = {
  method: "GET",
  path: "/api/patterns",
  access: "session",
  replies: { 200: z.array(LinkPattern) },
} as const satisfies Call;

/** 409: the user has PATTERNS_MAX_COUNT. */
export const createPattern = {
  method: "POST",
  path: "/api/patterns",
  access: "session",
  body: z.strictObject({ name: patternName }),
  replies: { 201: LinkPattern },
} as const satisfies Call;

const params = z.object({ id: z.string().check(z.regex(PATTERN_ID, messages.patternNotFound)) });

/** One or several changes; `tags` replaces the list. */
export const updatePattern = {
  method: "PATCH",
  path: "/api/patterns/:id",
  access: "session",
  params,
  body: z
    .strictObject({
      tags: z.optional(
        z.array(tag).check(z.maxLength(PATTERN_TAGS_MAX_COUNT, messages.tooManyPatternTags)),
      ),
      channelId: z.optional(channelId),
      usesChannelTag: z.optional(z.boolean()),
    })
    .check(z.refine((change) => Object.keys(change).length > 0)),
  replies: { 200: LinkPattern },
} as const satisfies Call;

/** Revokes a pattern. Its links stay. */
export const deletePattern = {
  method: "DELETE",
  path: "/api/patterns/:id",
  access: "session",
  params,
  replies: { 200: z.object({ id: z.string() }) },
} as const satisfies Call;

/** Deletes the links that the pattern created. */
export const deletePatternLinks = {
  method: "DELETE",
  path: "/api/patterns/:id/links",
  access: "session",
  params,
  replies: { 200: z.object({ deletedCount: z.int() }) },
} as const satisfies Call;

/**
 * Redirects to the page `url` of an Amazon store. The first visit creates its link for the owner of the pattern `p`, unless
 * the pattern has other tags. Behind the gateway the response is that of the short link, which opens the app and counts the visit.
 */
export const go = {
  method: "GET",
  path: "/go",
  access: "anyone",
  limit: "go",
  query: z.object({ p: z.string(), url: z.string() }),
  replies: { 302: z.object({}) },
} as const satisfies Call;
