import * as z from "zod/mini";
import { TAG_PATTERN } from "./rules/amazon/add-tag.ts";
import { parseNewDestination, parseStorePage } from "./rules/amazon/amazon-url.ts";
import { isProductImage } from "./rules/amazon/images.ts";
import { isMarketplace, MARKETPLACES, type Marketplace } from "./rules/amazon/marketplaces.ts";
import { ASIN } from "./rules/amazon/product-id.ts";
import {
  DISPLAYED_NAME_MAX_LENGTH,
  DOMAIN_MAX_LENGTH,
  LABEL_NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  SLUG_MAX_LENGTH,
  SLUG_MIN_LENGTH,
  TAG_MAX_LENGTH,
  URL_MAX_BYTES,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "./rules/limits.ts";
import { LINK_NOT_FOUND, linkTooLong } from "./rules/link-errors.ts";
import { cleanLine, cleanName, mixesAlphabets } from "./rules/names.ts";
import { DOMAIN_NAME_PATTERN, SHORT_CODE_PATTERN } from "./rules/short-code.ts";
import { cleanSlug, isReservedName, isTrustedName, TRUSTED_NAME } from "./rules/slug.ts";
import { readTimeZone } from "./rules/time-zone.ts";

export const KEY_NAME_MAX_LENGTH = 50;
/** Maximum length of deliverable addresses (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;
const CHANNEL_NAME_MAX_LENGTH = 50;

export const usernameDiffers = "This is not the username of the account.";
export const enterValidEmail = "Please enter a valid email address";
const expiryInPast = "The expiry date must be in the future";
const expiryTooFar = "The expiry date must be before December 31, 9999";
const onlyVisibleCharacters = "Line breaks and control characters are not allowed";
export const usernameTooShort = `Username must be at least ${USERNAME_MIN_LENGTH} characters`;
const slugMalformed = `A short link name has ${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough`;
const enterCode = "Please enter the code of your authenticator app, or a recovery code";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Parts of the OpenAPI document about an input: instead of zod's, and in addition to them. */
export const inputs = z.registry<{ as?: JsonSchema; also?: JsonSchema }>();

/** White space at both ends is removed before the length is checked, so the length of the input has no limit. */
export const trimmed = (requirements: string) => ({
  as: {
    type: "string" as const,
    minLength: 1,
    description: `${requirements} White space at both ends is removed first.`,
  },
});

const visibleText = (maxLength: number, minLength = 1) =>
  trimmed(
    `${minLength} to ${maxLength} characters, at least one of them visible, without control characters and line breaks. Text direction controls are removed.`,
  );

export const someField = z.refine<object>((change) => Object.keys(change).length > 0);

const onlyVisible = z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, onlyVisibleCharacters);

const somethingVisible = (message: string) => z.regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, message);

export const email = z
  .string()
  .check(z.trim(), z.email(enterValidEmail), z.maxLength(EMAIL_MAX_LENGTH, enterValidEmail))
  .register(inputs, trimmed(`An email address of at most ${EMAIL_MAX_LENGTH} characters.`));

export const password = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`),
    z.maxLength(PASSWORD_MAX_LENGTH, `Password must be at most ${PASSWORD_MAX_LENGTH} characters`),
  );

export const shortCode = z.string().check(z.regex(SHORT_CODE_PATTERN, LINK_NOT_FOUND));

export const username = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(USERNAME_MIN_LENGTH, usernameTooShort),
    somethingVisible(usernameTooShort),
    z.maxLength(USERNAME_MAX_LENGTH, `Username must be at most ${USERNAME_MAX_LENGTH} characters`),
    onlyVisible,
    z.refine(
      (name) => !mixesAlphabets(name),
      "A word of a username must not mix Latin letters with Cyrillic or Greek ones.",
    ),
  )
  .register(inputs, visibleText(USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH));

export const displayedText = (
  maxLength: number,
  texts: { required: string; tooLong: string },
  clean: (text: string) => string = cleanLine,
) =>
  z
    .string()
    .check(
      z.overwrite(clean),
      z.minLength(1, texts.required),
      somethingVisible(texts.required),
      z.maxLength(maxLength, texts.tooLong),
      onlyVisible,
    )
    .register(inputs, visibleText(maxLength));

/**
 * A short code that a user chooses. Upper case is accepted and stored in lower case. Which are too short or reserved depends on
 * the host: `slugOn`.
 */
export const slug = z
  .string()
  .check(z.overwrite(cleanSlug), z.regex(DOMAIN_NAME_PATTERN, { error: slugMalformed, abort: true }))
  .register(inputs, {
    as: {
      type: "string",
      minLength: 1,
      description:
        "3 to 50 of a to z, 0 to 9 and single hyphens or underscores between them, on an own domain from 1. Upper case becomes lower case, and white space at both ends is removed. Reserved words are refused.",
    },
  });

export const slugOn = (host: string | null) =>
  slug.check(
    z.minLength(host === null ? SLUG_MIN_LENGTH : 1, {
      error: slugMalformed,
      abort: true,
    }),
    z.refine((name) => !isReservedName(name, host), "This short link name is reserved. Please choose another."),
  );

/** The own domain of a link; null: the site's own host. */
export const linkDomain = z.nullable(
  z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(DOMAIN_MAX_LENGTH)),
);

/** The column's constraint ends there too. */
export const EXPIRY_END = Date.parse("9999-12-31T00:00:00Z");

/** An instant in the future, by the clock of the reader, before the last day of the year 9999. Becomes UTC. */
export const expiry = z.iso
  .datetime({ offset: true })
  .check(
    z.refine((text) => Date.parse(text) > Date.now(), {
      error: expiryInPast,
      abort: true,
    }),
    z.refine((text) => Date.parse(text) < EXPIRY_END, {
      error: expiryTooFar,
      abort: true,
    }),
    z.overwrite((text) => new Date(text).toISOString()),
  )
  .register(inputs, {
    also: { description: "In the future and before the year 9999, with any offset from UTC." },
  });

/** An instant from 1970 to the year 9999, which may be past. Becomes UTC. */
export const startTime = z.iso
  .datetime({ offset: true })
  .check(
    z.refine((text) => Date.parse(text) >= 0 && Date.parse(text) < EXPIRY_END, {
      error: "The start must be between 1970 and December 31, 9999",
      abort: true,
    }),
    z.overwrite((text) => new Date(text).toISOString()),
  )
  .register(inputs, { also: { description: "From 1970 and before the year 9999, with any offset from UTC." } });

/** The page of an Amazon store that opens instead of a link that has ended or not started. Becomes its https address. */
export const fallbackUrl = z
  .string()
  .check(
    z.trim(),
    z.maxLength(URL_MAX_BYTES, { error: linkTooLong.message, abort: true }),
    (context) => {
      const url = parseNewDestination(context.value);
      const isPage = url.kind !== "refused" && url.kind !== "short";
      if (isPage) return;
      const message =
        url.kind === "refused"
          ? url.message
          : "Please paste the long address of the page, which starts with https://www.amazon.";
      context.issues.push({ code: "custom", input: context.value, message });
    },
    z.overwrite((text) => parseStorePage(text)?.webUrl ?? text),
  )
  .register(inputs, trimmed(`The address of a page of an Amazon store, at most ${URL_MAX_BYTES} characters.`));

export const imageUrl = z
  .string()
  .check(
    z.trim(),
    z.maxLength(URL_MAX_BYTES, { error: linkTooLong.message, abort: true }),
    z.refine(
      isProductImage,
      "Please paste the address of a picture on Amazon's page, such as https://m.media-amazon.com/images/I/….jpg",
    ),
  )
  .register(inputs, trimmed("The address of a picture of a product on one of Amazon's hosts of pictures."));

export const displayedName = displayedText(DISPLAYED_NAME_MAX_LENGTH, {
  required: "A displayed name needs visible characters",
  tooLong: `A displayed name must be at most ${DISPLAYED_NAME_MAX_LENGTH} characters`,
}).check(z.refine((name) => !isTrustedName(name), TRUSTED_NAME));

export const labelName = displayedText(
  LABEL_NAME_MAX_LENGTH,
  {
    required: "A label needs a name",
    tooLong: `The name of a label must be at most ${LABEL_NAME_MAX_LENGTH} characters`,
  },
  cleanName,
);

export const channelName = displayedText(CHANNEL_NAME_MAX_LENGTH, {
  required: "Enter a name for the channel.",
  tooLong: `Use at most ${CHANNEL_NAME_MAX_LENGTH} characters.`,
});

/** An id in a column of 32 bits. Those of links have more. */
export const rowId = z.int().check(z.gte(1), z.lte(2_147_483_647));

/** The channel of a link; null: the user's default channel. */
export const channelId = z.nullable(rowId);

export const numberText = (pattern: RegExp, message?: string) =>
  z.pipe(z.string().check(z.regex(pattern, message)), z.transform(Number));

/** A time of 1970 or later. Postgres reads no year 0, and no fraction of any length. */
export const instant = z.iso.datetime().check(z.maxLength(30), z.regex(/^(?:19[7-9]|[2-9])/));

export const asin = z
  .string()
  .check(z.regex(ASIN))
  .register(inputs, { also: { description: "In upper case." } });

export const booleanText = z.pipe(
  z.enum(["true", "false"]),
  z.transform((text) => text === "true"),
);

export const keyName = displayedText(KEY_NAME_MAX_LENGTH, {
  required: "Please enter a name",
  tooLong: `Name must be at most ${KEY_NAME_MAX_LENGTH} characters`,
});

export const tag = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, "Please enter your tag"),
    z.regex(TAG_PATTERN, "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total"),
  )
  .register(
    inputs,
    trimmed(
      `Letters, digits, dots, hyphens and underscores; a letter or digit first; at most ${TAG_MAX_LENGTH} characters.`,
    ),
  );

export const LoginForm = z.object({ email, password });
export type LoginForm = z.infer<typeof LoginForm>;

export const identityCheck = (needs: { hasPassword: boolean; hasTwoFactor: boolean }) =>
  z.object({
    currentPassword: z.string().check(z.minLength(needs.hasPassword ? 1 : 0, "Please enter your current password")),
    code: z.string().check(z.minLength(needs.hasTwoFactor ? 6 : 0, enterCode)),
  });
export type IdentityCheck = z.infer<ReturnType<typeof identityCheck>>;

const passwords = z.object({ password: z.string(), confirmPassword: z.string() });

const isConfirmed = ({ password, confirmPassword }: z.infer<typeof passwords>) =>
  confirmPassword !== "" && password === confirmPassword;

const samePasswords = z.refine<z.infer<typeof passwords>>(isConfirmed, {
  path: ["confirmPassword"],
  error: ({ input }) =>
    z.parse(passwords, input).password === "" ? "Please confirm your password" : "Passwords do not match",
  // Also checked while another field is invalid.
  when: ({ value }) => z.safeParse(passwords, value).success,
});

export const SignUpForm = z.extend(LoginForm, { username, confirmPassword: z.string() }).check(samePasswords);
export type SignUpForm = z.infer<typeof SignUpForm>;

export const VisitorsForm = z.object({
  displayedName: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.trim() || null),
    ),
    z.nullable(displayedName),
  ),
  showsDisclosure: z.boolean(),
});

export const UsernameForm = z.object({ username });
export type UsernameForm = z.infer<typeof UsernameForm>;

export const PasswordForm = z.object({ password, confirmPassword: z.string() }).check(samePasswords);
export type PasswordForm = z.infer<typeof PasswordForm>;

export const CodeForm = z.object({ code: z.string().check(z.minLength(6, enterCode)) });
export type CodeForm = z.infer<typeof CodeForm>;

export const marketplace = z
  .custom<Marketplace>((value) => typeof value === "string" && isMarketplace(value))
  .register(inputs, { as: { type: "string", enum: Object.keys(MARKETPLACES) } });

export const StoreTag = z.strictObject({ marketplace, tag });
export type StoreTag = z.infer<typeof StoreTag>;

export const csvSeparator = z.optional(z.enum([",", ";"])).register(inputs, {
  also: {
    description:
      "Of the CSV: a comma, or a semicolon with decimal commas, as spreadsheets expect it where commas are decimal. Default: a comma.",
  },
});
export type CsvSeparator = z.infer<typeof csvSeparator>;

/** As `readTimeZone`; default: UTC. */
export const timeZone = z._default(z.pipe(z.string(), z.transform(readTimeZone)), "UTC").register(inputs, {
  also: {
    description:
      "A name of the IANA time zone database, or an offset from UTC such as `+05:30`. Anything else is UTC; `timeZone` of the reply, if there is one, says which.",
  },
});
