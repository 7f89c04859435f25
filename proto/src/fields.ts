import * as z from "zod/mini";
import { TAG_PATTERN } from "./rules/amazon/add-tag.ts";
import { parseNewDestination, parseStorePage } from "./rules/amazon/amazon-url.ts";
import { isMarketplace, MARKETPLACES, type Marketplace } from "./rules/amazon/marketplaces.ts";
import {
  CHANNEL_NAME_MAX_LENGTH,
  DOMAIN_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  KEY_NAME_MAX_LENGTH,
  LABEL_NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PATTERN_NAME_MAX_LENGTH,
  SLUG_MIN_LENGTH,
  TAG_MAX_LENGTH,
  URL_MAX_BYTES,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "./rules/limits.ts";
import { linkErrorMessage } from "./rules/link-errors.ts";
import { messages } from "./rules/messages.ts";
import { cleanLine, cleanName, mixesAlphabets } from "./rules/names.ts";
import { DOMAIN_NAME_PATTERN, SHORT_CODE_PATTERN } from "./rules/short-code.ts";
import { cleanSlug, isReservedName } from "./rules/slug.ts";
import { readTimeZone } from "./rules/time-zone.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What the OpenAPI document says about an input: instead of what zod says, and beside it. */
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

/** At least one field of a change. */
export const someField = z.refine<object>((change) => Object.keys(change).length > 0);

/** Control characters, line separators and unpaired surrogates: not allowed in a line of text. */
const onlyVisible = z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, messages.onlyVisibleCharacters);

/** At least one visible character; white space and ignorable code points alone are not enough. */
const somethingVisible = (message: string) => z.regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, message);

export const email = z
  .string()
  .check(z.trim(), z.email(messages.enterValidEmail), z.maxLength(EMAIL_MAX_LENGTH, messages.enterValidEmail))
  .register(inputs, trimmed(`An email address of at most ${EMAIL_MAX_LENGTH} characters.`));

export const password = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, messages.passwordTooShort),
    z.maxLength(PASSWORD_MAX_LENGTH, messages.passwordTooLong),
  );

export const shortCode = z.string().check(z.regex(SHORT_CODE_PATTERN, messages.linkNotFound));

/** Of a link with which one person can sign up. */
export const invitationToken = z.string().check(z.regex(/^[\w-]{20,64}$/, messages.invitationInvalid));

export const username = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(USERNAME_MIN_LENGTH, messages.usernameTooShort),
    somethingVisible(messages.usernameTooShort),
    z.maxLength(USERNAME_MAX_LENGTH, messages.usernameTooLong),
    onlyVisible,
    z.refine((name) => !mixesAlphabets(name), messages.usernameMixesAlphabets),
  )
  .register(inputs, visibleText(USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH));

/** A name or title as it is typed, without text direction controls. */
export const displayedText = (maxLength: number, texts: { required: string; tooLong: string }) =>
  z
    .string()
    .check(
      z.overwrite(cleanLine),
      z.minLength(1, texts.required),
      somethingVisible(texts.required),
      z.maxLength(maxLength, texts.tooLong),
      onlyVisible,
    )
    .register(inputs, visibleText(maxLength));

export const patternName = displayedText(PATTERN_NAME_MAX_LENGTH, {
  required: messages.patternNameRequired,
  tooLong: messages.patternNameTooLong,
});

/**
 * A short code that a user chooses. Upper case is accepted and stored in lower case. Which are too short or reserved depends on
 * the host: `slugOn`.
 */
export const slug = z
  .string()
  .check(z.overwrite(cleanSlug), z.regex(DOMAIN_NAME_PATTERN, { error: messages.slugMalformed, abort: true }))
  .register(inputs, {
    as: {
      type: "string",
      minLength: 1,
      description:
        "3 to 50 of a to z, 0 to 9 and single hyphens or underscores between them, on an own domain from 1. Upper case becomes lower case, and white space at both ends is removed. Reserved words are refused.",
    },
  });

/** A slug that links on the host can have. */
export const slugOn = (host: string | null) =>
  slug.check(
    z.minLength(host === null ? SLUG_MIN_LENGTH : 1, {
      error: messages.slugMalformed,
      abort: true,
    }),
    z.refine((name) => !isReservedName(name, host), messages.slugReserved),
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
      error: messages.expiryInPast,
      abort: true,
    }),
    z.refine((text) => Date.parse(text) < EXPIRY_END, {
      error: messages.expiryTooFar,
      abort: true,
    }),
    z.overwrite((text) => new Date(text).toISOString()),
  )
  .register(inputs, {
    also: { description: "In the future and before the year 9999, with any offset from UTC." },
  });

/** The page of an Amazon store that opens instead of a link that has ended. Becomes its https address. */
export const fallbackUrl = z
  .string()
  .check(
    z.trim(),
    z.maxLength(URL_MAX_BYTES, { error: linkErrorMessage({ code: "link-too-long" }), abort: true }),
    (context) => {
      const url = parseNewDestination(context.value);
      const isPage = url.kind !== "refused" && url.kind !== "short";
      if (isPage) return;
      const message = url.kind === "refused" ? linkErrorMessage(url) : messages.fallbackIsShort;
      context.issues.push({ code: "custom", input: context.value, message });
    },
    z.overwrite((text) => parseStorePage(text)?.webUrl ?? text),
  )
  .register(inputs, trimmed(`The address of a page of an Amazon store, at most ${URL_MAX_BYTES} characters.`));

export const labelName = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, messages.labelNameRequired),
    somethingVisible(messages.labelNameRequired),
    z.maxLength(LABEL_NAME_MAX_LENGTH, messages.labelNameTooLong),
    onlyVisible,
  )
  .register(inputs, visibleText(LABEL_NAME_MAX_LENGTH));

export const channelName = displayedText(CHANNEL_NAME_MAX_LENGTH, {
  required: messages.channelNameRequired,
  tooLong: messages.channelNameTooLong,
});

/** An id in a column of 32 bits. Those of links have more. */
export const rowId = z.int().check(z.gte(1), z.lte(2_147_483_647));

/** The channel of a link; null: the user's default channel. */
export const channelId = z.nullable(rowId);

export const numberText = (pattern: RegExp, message?: string) =>
  z.pipe(z.string().check(z.regex(pattern, message)), z.transform(Number));

export const booleanText = z.pipe(
  z.enum(["true", "false"]),
  z.transform((text) => text === "true"),
);

/** The name of an API key, of a shared page or of a member. */
export const keyName = displayedText(KEY_NAME_MAX_LENGTH, {
  required: messages.keyNameRequired,
  tooLong: messages.keyNameTooLong,
});

export const tag = z
  .string()
  .check(z.trim(), z.minLength(1, messages.tagRequired), z.regex(TAG_PATTERN, messages.tagMalformed))
  .register(
    inputs,
    trimmed(`Letters, digits, hyphens and underscores; a letter or digit first; at most ${TAG_MAX_LENGTH} characters.`),
  );

export const LoginForm = z.object({ email, password });
export type LoginForm = z.infer<typeof LoginForm>;

/** The fields with which people confirm who they are, before they change how they log in. */
export const identityCheck = (needs: { hasPassword: boolean; hasTwoFactor: boolean }) =>
  z.object({
    currentPassword: z.string().check(z.minLength(needs.hasPassword ? 1 : 0, messages.enterCurrentPassword)),
    code: z.string().check(z.minLength(needs.hasTwoFactor ? 6 : 0, messages.enterCode)),
  });
export type IdentityCheck = z.infer<ReturnType<typeof identityCheck>>;

const passwords = z.object({ password: z.string(), confirmPassword: z.string() });

const isConfirmed = ({ password, confirmPassword }: z.infer<typeof passwords>) =>
  confirmPassword !== "" && password === confirmPassword;

/** Both passwords are the same, and not empty. */
const samePasswords = z.refine<z.infer<typeof passwords>>(isConfirmed, {
  path: ["confirmPassword"],
  error: ({ input }) =>
    z.parse(passwords, input).password === "" ? messages.confirmPassword : messages.passwordsDiffer,
  // Also checked while another field is invalid.
  when: ({ value }) => z.safeParse(passwords, value).success,
});

export const SignUpForm = z.extend(LoginForm, { username, confirmPassword: z.string() }).check(samePasswords);
export type SignUpForm = z.infer<typeof SignUpForm>;

export const UsernameForm = z.object({ username });
export type UsernameForm = z.infer<typeof UsernameForm>;

export const PasswordForm = z.object({ password, confirmPassword: z.string() }).check(samePasswords);
export type PasswordForm = z.infer<typeof PasswordForm>;

export const CodeForm = z.object({ code: z.string().check(z.minLength(6, messages.enterCode)) });
export type CodeForm = z.infer<typeof CodeForm>;

export const marketplace = z
  .custom<Marketplace>((value) => typeof value === "string" && isMarketplace(value))
  .register(inputs, { as: { type: "string", enum: Object.keys(MARKETPLACES) } });

/** As `readTimeZone`; default: UTC. */
export const timeZone = z._default(z.pipe(z.string(), z.transform(readTimeZone)), "UTC").register(inputs, {
  also: {
    description:
      "A name of the IANA time zone database, or an offset from UTC such as `+05:30`. Anything else is UTC; `timeZone` of the reply says which.",
  },
});
