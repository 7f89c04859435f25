import type * as z from "zod/mini";
import { finishAmazonAdsConnection } from "../http/amazon-ads.ts";
import { updateChannel } from "../http/channels.ts";
import { listLinkPeople } from "../http/clicks.ts";
import { answerEarningsImport } from "../http/earnings-imports.ts";
import { exportLinks } from "../http/export.ts";
import {
  channelName,
  email,
  expiry,
  fallbackUrl,
  keyName,
  labelName,
  marketplace,
  patternName,
  slug,
  tag,
  timeZone,
  username,
} from "../http/fields.ts";
import { createImport, getImport } from "../http/imports.ts";
import { labelLinks, updateLabel } from "../http/labels.ts";
import { listLinks, updateLink } from "../http/links.ts";
import { OWNER_TEXTS } from "../http/owner-fields.ts";
import { updatePattern } from "../http/patterns.ts";
import { createWebhook } from "../http/webhooks.ts";
import { DOMAIN_NAME_PATTERN, SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { MARKETPLACES } from "../rules/amazon/marketplaces.ts";
import {
  CHANNEL_NAME_MAX_LENGTH,
  DOMAIN_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  IMPORT_LINES_PAGE_MAX_SIZE,
  KEY_NAME_MAX_LENGTH,
  LABEL_NAME_MAX_LENGTH,
  LINKS_EXPORT_SELECTED_MAX_COUNT,
  LINKS_PAGE_MAX_SIZE,
  LINKS_SEARCH_MAX_LENGTH,
  PATTERN_NAME_MAX_LENGTH,
  SLUG_MAX_LENGTH,
  SLUG_MIN_LENGTH,
  TAG_MAX_LENGTH,
  URL_MAX_BYTES,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
  WEBHOOK_URL_MAX_LENGTH,
} from "../rules/limits.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** White space at both ends is removed before the length is checked, so the length of the input has no limit. */
const text = (requirements: string): JsonSchema => ({
  type: "string",
  minLength: 1,
  description: `${requirements} White space at both ends is removed first.`,
});

const name = (maxLength: number, minLength = 1) =>
  text(
    `${minLength} to ${maxLength} characters, at least one of them visible, without control characters and line breaks. Text direction controls are removed.`,
  );

const NAME = "[a-z0-9]+([-_][a-z0-9]+)*";
/** Of a link on an own domain with `@` and the host. */
const SHORT_CODE = `(${NAME})?(@[a-z0-9.-]+)?`;
const { state, code, error } = finishAmazonAdsConnection.query.shape;

/** An invalid value counts as absent. */
const anyText: JsonSchema = { type: "string" };

/** What JSON Schema cannot say about fields that requests have, in place of what zod says. */
const FIELDS = new Map<unknown, JsonSchema>([
  ...Object.values(OWNER_TEXTS).map(({ input, maxLength }) => [input, name(maxLength)] as const),
  [patternName, name(PATTERN_NAME_MAX_LENGTH)],
  [labelName, name(LABEL_NAME_MAX_LENGTH)],
  [channelName, name(CHANNEL_NAME_MAX_LENGTH)],
  [keyName, name(KEY_NAME_MAX_LENGTH)],
  [username, name(USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH)],
  [email, text(`An email address of at most ${EMAIL_MAX_LENGTH} characters.`)],
  [
    tag,
    text(
      `Letters, digits, hyphens and underscores; a letter or digit first; at most ${TAG_MAX_LENGTH} characters.`,
    ),
  ],
  [
    fallbackUrl,
    text(`The address of a page of an Amazon store, at most ${URL_MAX_BYTES} characters.`),
  ],
  [
    slug,
    {
      type: "string",
      minLength: 1,
      description:
        "3 to 50 of a to z, 0 to 9 and single hyphens or underscores between them, on an own domain from 1. Upper case becomes lower case, and white space at both ends is removed. Reserved words are refused.",
    },
  ],
  [
    listLinks.query.shape.q,
    {
      type: "string",
      description: `At most ${LINKS_SEARCH_MAX_LENGTH} characters after white space at both ends is removed, without control characters.`,
    },
  ],
  [
    listLinks.query.shape.cursor,
    {
      type: "string",
      pattern: "^[0-9]{1,15}(~[^\\u0000]{0,100})?$",
      description: "From the header `Link` of the previous page, for the same `sort`.",
    },
  ],
  [
    listLinkPeople.query.shape.codes,
    {
      type: "string",
      pattern: `^${SHORT_CODE}(,${SHORT_CODE}){0,${LINKS_PAGE_MAX_SIZE - 1}}$`,
      description: `1 to ${LINKS_PAGE_MAX_SIZE} short codes, separated by commas.`,
    },
  ],
  [
    exportLinks.query.shape.ids,
    {
      type: "string",
      pattern: `^[0-9]{1,15}(,[0-9]{1,15}){0,${LINKS_EXPORT_SELECTED_MAX_COUNT - 1}}$`,
      description: `1 to ${LINKS_EXPORT_SELECTED_MAX_COUNT} ids, separated by commas.`,
    },
  ],
  [
    createWebhook.body.shape.url,
    text(`The https address of a public host, at most ${WEBHOOK_URL_MAX_LENGTH} characters.`),
  ],
  [state, anyText],
  [code, anyText],
  [error, anyText],
]);

/** What JSON Schema cannot say, beside what zod says. */
const ADDITIONS = new Map<unknown, JsonSchema>([
  [expiry, { description: "In the future and before the year 9999, with any offset from UTC." }],
  [
    timeZone,
    {
      description:
        "A name of the IANA time zone database, or an offset from UTC such as `+05:30`. Anything else is UTC; `timeZone` of the reply says which.",
    },
  ],
  [
    createImport.query.shape.name,
    {
      pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$",
      description: "The name of the file, without control characters and line breaks.",
    },
  ],
  [listLinks.query.shape.limit, { description: `1 to ${LINKS_PAGE_MAX_SIZE}.` }],
  [getImport.query.shape.limit, { description: `0 to ${IMPORT_LINES_PAGE_MAX_SIZE}.` }],
  [updateLink.body, { minProperties: 1, maxProperties: 1 }],
  [updateLabel.body, { minProperties: 1 }],
  [updateChannel.body, { minProperties: 1 }],
  [answerEarningsImport.body, { minProperties: 1 }],
  [updatePattern.body, { minProperties: 1 }],
  [
    labelLinks.body,
    {
      anyOf: [
        { required: ["addLabels"], properties: { addLabels: { minItems: 1 } } },
        { required: ["removeLabels"], properties: { removeLabels: { minItems: 1 } } },
      ],
    },
  ],
]);

/** Schemas that zod cannot convert. */
export const CUSTOM_TYPES: ReadonlyMap<unknown, JsonSchema> = new Map([
  [marketplace, { type: "string", enum: Object.keys(MARKETPLACES) }],
]);

/** Patterns that only ECMAScript has, in a form that other languages understand. */
const PORTABLE_PATTERNS = new Map<unknown, JsonSchema>([
  [DOMAIN_NAME_PATTERN.source, { minLength: 1, maxLength: SLUG_MAX_LENGTH, pattern: `^${NAME}$` }],
  [
    SHORT_CODE_PATTERN.source,
    {
      minLength: SLUG_MIN_LENGTH,
      maxLength: SLUG_MAX_LENGTH + 1 + DOMAIN_MAX_LENGTH,
      pattern: `^${SHORT_CODE}$`,
    },
  ],
]);

/** Replaces or completes what zod says about the input of a schema. */
export function describeInput(schema: unknown, json: JsonSchema): void {
  const field = FIELDS.get(schema);
  if (field !== undefined) {
    for (const key of Object.keys(json)) delete json[key];
  }
  Object.assign(json, PORTABLE_PATTERNS.get(json.pattern), field, ADDITIONS.get(schema));
}
