import * as z from "zod/mini";
import { displayedText, expiry, fallbackUrl, imageUrl, startTime } from "./fields.ts";
import { TITLE_MAX_LENGTH } from "./rules/limits.ts";

const NICKNAME_MAX_LENGTH = 200;

/** How a link opens on phones: as the strategy table says; on the page, with a tap only; or in the browser at once. */
export const LAUNCH_MODES = ["app", "tap", "browser"] as const;

const text = <Column extends string>(
  column: Column,
  maxLength: number,
  texts: { required: string; tooLong: string },
) => ({
  column,
  maxLength,
  input: displayedText(maxLength, texts),
  stored: z.nullable(z.string()),
});

export const OWNER_TEXTS = {
  title: text("title", TITLE_MAX_LENGTH, {
    required: "Title is required",
    tooLong: `Title must be at most ${TITLE_MAX_LENGTH} characters`,
  }),
  nickname: text("nickname", NICKNAME_MAX_LENGTH, {
    required: "Nickname is required",
    tooLong: `Nickname must be at most ${NICKNAME_MAX_LENGTH} characters`,
  }),
} as const;

/**
 * The fields that owners set on their links. Requests, replies, documentation, exports, imports, webhooks and SQL statements derive from
 * this list. `column`: in the database and in exports; `input`: what a request has; `stored`: what a reply has, null if it
 * is not set.
 */
export const OWNER_FIELDS = {
  ...OWNER_TEXTS,
  /** Without it a link of a user never expires. */
  expiresAt: { column: "expires_at", input: expiry, stored: z.nullable(z.iso.datetime()) },
  /** Without it that of the link's channel. */
  fallbackUrl: { column: "fallback_url", input: fallbackUrl, stored: z.nullable(z.string()) },
  opening: { column: "opening", input: z.enum(LAUNCH_MODES), stored: z.nullable(z.enum(LAUNCH_MODES)) },
  imageUrl: { column: "image_url", input: imageUrl, stored: z.nullable(z.string()) },
  /** Until then its fallback opens; without it the link is open at once. */
  startsAt: { column: "starts_at", input: startTime, stored: z.nullable(z.iso.datetime()) },
} as const;

type Fields = typeof OWNER_FIELDS;
export type OwnerField = keyof Fields;

export const OWNER_FIELD_NAMES = Object.keys(OWNER_FIELDS) as OwnerField[];

export function eachOwnerField<Value>(toValue: (field: OwnerField) => Value): Record<OwnerField, Value> {
  const entries = OWNER_FIELD_NAMES.map((field) => [field, toValue(field)]);
  return Object.fromEntries(entries) as Record<OwnerField, Value>;
}

export const OwnerFields = z.object(
  eachOwnerField((field) => OWNER_FIELDS[field].input) as { [F in OwnerField]: Fields[F]["input"] },
);

type Changes = {
  [F in OwnerField]: F extends keyof typeof OWNER_TEXTS ? Fields[F]["input"] : z.ZodMiniNullable<Fields[F]["input"]>;
};

/** The inputs of a change: null removes a value that is not a text. */
export const OwnerChanges = z.partial(
  z.object(
    eachOwnerField((field) =>
      field in OWNER_TEXTS ? OWNER_FIELDS[field].input : z.nullable(OWNER_FIELDS[field].input),
    ) as Changes,
  ),
);

export const StoredOwnerFields = z.object(
  eachOwnerField((field) => OWNER_FIELDS[field].stored) as {
    [F in OwnerField]: Fields[F]["stored"];
  },
);
/** Times are in ISO 8601. */
export type StoredOwnerFields = z.infer<typeof StoredOwnerFields>;
