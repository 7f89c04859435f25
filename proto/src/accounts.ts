import * as z from "zod/mini";
import { resource } from "./call.ts";
import { displayedName, email, username } from "./fields.ts";
import { notAllowed } from "./general-errors.ts";
import { error } from "./rules/error.ts";

export const User = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  /** The name on pages and cards of the user's links; null if none. */
  displayedName: z.nullable(z.string()),
  showsDisclosure: z.boolean(),
  emailIsVerified: z.boolean(),
  /** The weekly email about what needs attention. `refused`: the mail server has no such recipient. Null: this site sends no emails. */
  weeklyEmail: z.nullable(z.enum(["on", "off", "refused"])),
  isOperator: z.boolean(),
});
export type User = z.infer<typeof User>;

export const Login = z.object({
  user: User,
  identity: z.object({
    /** The user's id at the identity provider. */
    uid: z.string(),
    email: z.string(),
    /** False for people who log in with OpenID Connect only. */
    hasPassword: z.boolean(),
    /** True if a login with the password also needs a code. Always false with Firebase. */
    hasTwoFactor: z.boolean(),
  }),
});
export type Login = z.infer<typeof Login>;

const firebaseUid = z.string().check(z.minLength(1), z.maxLength(128));

export const accountDeleted = error("account-deleted", 403, "Your account has been deleted.");
export const accountDisabled = error("account-disabled", 403, "This account has been disabled.");
export const accountNotFound = error("account-not-found", 404, "There is no account for this login.");
export const emailNotConfirmed = error(
  "email-not-confirmed",
  403,
  "Please confirm your email address first: your profile sends you the link. Until then you cannot give anyone else access to your account.",
);
export const emailTaken = error("email-taken", 409, "This email address is already in use.");
export const invitationInvalid = error(
  "invitation-invalid",
  403,
  "This invitation has expired or was already used. Ask for a new one.",
);
export const signUpClosed = error("sign-up-closed", 403, "This site does not accept new accounts.");
export const usernameTaken = error("username-taken", 409, "This username is already taken.");
export const emailDiffers = error("email-differs", 422, "This is not your account's email address.");

export const invitationToken = z.string().check(z.regex(/^[\w-]{20,64}$/, invitationInvalid.message));

const accounts = resource("Accounts", { reads: "anyone", writes: null });

const sessions = resource("Sessions", { reads: null, writes: null });

export const createUser = accounts.post("/api/users", {
  summary: "Create a user",
  description:
    "Creates the user of an identity. Repeated requests return the existing user unchanged with 200. `firebaseUid`, the id of the identity, and `email` must be those of the login. With 409 a problem names the taken field in `field`; an address counts as taken if both users have verified it. Where sign-up is by invitation, `invitation` is the token of the invitation's link.",
  credentials: [["login"], ["firebaseToken"]],
  body: z.strictObject({ firebaseUid, email, username, invitation: z.optional(invitationToken) }),
  replies: { 200: User, 201: User },
  errors: [accountDeleted, emailTaken, invitationInvalid, notAllowed, signUpClosed, usernameTaken],
  records: "account.created",
});

export const getUser = accounts.get("/api/users/:firebaseUid", {
  summary: "Get one's own user",
  description: "Other users are reported as not found.",
  credentials: [["firebaseToken"], ["session"]],
  params: z.object({ firebaseUid }),
  replies: { 200: User },
  errors: [accountNotFound],
});

export const updateUser = accounts.patch("/api/users/:firebaseUid", {
  summary: "Change the user",
  description:
    "Omitted fields stay as they are. `displayedName` (null: none) and, if `showsDisclosure`, the sentence that Amazon asks affiliates to show are on the pages and cards of the user's links, which follow within a second, thousands of links a little later. The weekly email goes only to a confirmed address; the link in it ends it without a login. The email address is changed at the identity provider instead; the user's follows at the next login.",
  access: "session",
  limit: "users",
  params: z.object({ firebaseUid }),
  body: z.strictObject({
    username: z.optional(username),
    displayedName: z.optional(z.nullable(displayedName)),
    showsDisclosure: z.optional(z.boolean()),
    weeklyEmail: z.optional(z.enum(["on", "off"])),
  }),
  replies: { 200: User },
  errors: [accountNotFound, usernameTaken],
  records: "account.changed",
});

export const login = sessions.post("/api/login", {
  summary: "Log in",
  description:
    "Creates a session for the user who is logged in at the identity provider as `firebaseUid`. A session of the same user that is as recent as the login is kept.",
  credentials: [["login"], ["firebaseToken"]],
  body: z.strictObject({ firebaseUid }),
  replies: { 200: User },
  errors: [accountDisabled, accountNotFound, notAllowed],
  replyHeaders: {
    "Set-Cookie": {
      description: "The cookies of the session.",
      example: "__Host-session=…; path=/; secure; httponly; samesite=lax",
    },
  },
});

export const logout = sessions.post("/api/logout", {
  summary: "Log out",
  description:
    "Ends the session of the request if there is one, and the login at the built-in identity provider. `redirectUrl`: where an OpenID provider ends its own login.",
  credentials: [[], ["session"]],
  replies: { 200: z.object({ redirectUrl: z.nullable(z.string()) }) },
});
