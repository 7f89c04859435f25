import * as z from "zod/mini";
import { accountDisabled, accountNotFound } from "./accounts.ts";
import { resource } from "./call.ts";
import { channelNotFound, TAG_OF_NEW_LINKS } from "./channels.ts";
import { domainNotUsable } from "./domains.ts";
import { channelId, linkDomain } from "./fields.ts";
import { badToken, tooManyLinks } from "./general-errors.ts";
import { error } from "./rules/error.ts";
import { ADDRESS_ERRORS } from "./rules/link-errors.ts";

export const GeneratedLink = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  deepLink: z.string(),
  originalUrl: z.string(),
  imageUrl: z.nullable(z.string()),
  title: z.nullable(z.string()),
  hasUnknownTag: z.optional(z.boolean()),
});
export type GeneratedLink = z.infer<typeof GeneratedLink>;

/** A UUID, or at least 22 base64url characters (128 bits). */
export const IDEMPOTENCY_KEY_PATTERN: RegExp =
  /^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[A-Za-z0-9_-]{22,200})$/;

export const IDEMPOTENCY_KEY = {
  description:
    "Makes a retry safe: for 24 hours a request with the same key gets the reply of the first, with the same link. A UUID, or 22 to 200 characters of base64url.",
  schema: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  example: "0192f3a1-7c44-7c1e-9a51-2f8d6b3e4c70",
};

export const badIdempotencyKey = error(
  "bad-idempotency-key",
  400,
  "The Idempotency-Key must be a UUID or a long random text.",
);
export const idempotencyKeyReused = error(
  "idempotency-key-reused",
  422,
  "This Idempotency-Key was used for another request.",
);

export const CREATE_ERRORS = [
  accountDisabled,
  badIdempotencyKey,
  channelNotFound,
  domainNotUsable,
  idempotencyKeyReused,
  tooManyLinks,
];

const links = resource("Links", { reads: null, writes: null });

export const generate = links.post("/api/generate", {
  summary: "Create a short link",
  description: `\`url\` is the address of a page of an Amazon store, or a short link of Amazon that leads to one. 201 with a new link. 200 with an existing one if the browser of a visitor without an account created it for the same address within the last ten minutes. The link belongs to the caller's user. Without a user it expires after seven days, and the browser that holds the claim cookie can claim it. \`domain\` is an own domain of the user that works, or null for the host of this service; without it the link is on the user's default domain. For users, \`channelId\` is the channel of the link. ${TAG_OF_NEW_LINKS}`,
  credentials: [[], ["session"], ["firebaseToken"], ["links:write"]],
  role: "editor",
  body: z.strictObject({
    url: z.string(),
    domain: z.optional(linkDomain),
    channelId: z.optional(channelId),
    usesChannelTag: z.optional(z.boolean()),
  }),
  stale: ["Earnings"],
  replies: { 200: GeneratedLink, 201: GeneratedLink },
  errors: [...ADDRESS_ERRORS, ...CREATE_ERRORS, accountNotFound, badToken],
  requestHeaders: { "Idempotency-Key": IDEMPOTENCY_KEY },
  replyHeaders: {
    "Set-Cookie": {
      description: "The claim cookie, if the caller has no user and no such cookie.",
      example: "__Host-claim=…; path=/; secure; httponly; samesite=lax",
    },
  },
  records: "link.created",
});
