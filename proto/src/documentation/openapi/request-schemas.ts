import type * as z from "zod/mini";
import {
  email,
  expiry,
  keyName,
  labelName,
  nickname,
  patternName,
  slug,
  tag,
  title,
  username,
} from "../../http/fields.ts";
import { labelLinks, updateLabel } from "../../http/labels.ts";
import { listLinks, updateLink } from "../../http/links.ts";
import { marketplace } from "../../http/marketplace.ts";
import { timeZone } from "../../http/time-zone.ts";
import { MARKETPLACES } from "../../rules/amazon/marketplaces.ts";
import {
  EMAIL_MAX_LENGTH,
  KEY_NAME_MAX_LENGTH,
  LABEL_NAME_MAX_LENGTH,
  LINKS_SEARCH_MAX_LENGTH,
  NICKNAME_MAX_LENGTH,
  PATTERN_NAME_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TITLE_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "../../rules/limits.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** White space at both ends is removed before the length is checked, so the length of the input has no limit. */
const text = (requirements: string): JsonSchema => ({
  type: "string",
  minLength: 1,
  description: `${requirements} White space at both ends is removed first.`,
});

const name = (maxLength: number, minLength = 1) =>
  text(
    `${minLength} to ${maxLength} characters, at least one of them visible, without control characters and line breaks.`,
  );

/** What JSON Schema cannot say about fields that requests have, in place of what zod says. */
const FIELDS = new Map<unknown, JsonSchema>([
  [nickname, name(NICKNAME_MAX_LENGTH)],
  [title, name(TITLE_MAX_LENGTH)],
  [patternName, name(PATTERN_NAME_MAX_LENGTH)],
  [labelName, name(LABEL_NAME_MAX_LENGTH)],
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
    slug,
    {
      type: "string",
      minLength: 3,
      description:
        "3 to 50 of a to z, 0 to 9 and single hyphens between them. Upper case becomes lower case, and white space at both ends is removed. Reserved words are refused.",
    },
  ],
  [
    listLinks.query.shape.q,
    {
      type: "string",
      description: `At most ${LINKS_SEARCH_MAX_LENGTH} characters after white space at both ends is removed, without control characters.`,
    },
  ],
]);

/** What JSON Schema cannot say, beside what zod says. */
const ADDITIONS = new Map<unknown, JsonSchema>([
  [expiry, { description: "In the future and before the year 9999, with any offset from UTC." }],
  [timeZone, { description: "A name of the IANA time zone database." }],
  [updateLink.body, { minProperties: 1, maxProperties: 1 }],
  [updateLabel.body, { minProperties: 1 }],
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

/** Replaces or completes what zod says about the input of a schema. */
export function describeInput(schema: unknown, json: JsonSchema): void {
  const field = FIELDS.get(schema);
  if (field !== undefined) {
    for (const key of Object.keys(json)) delete json[key];
  }
  Object.assign(json, field, ADDITIONS.get(schema));
}
