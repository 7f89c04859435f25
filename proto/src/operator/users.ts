import * as z from "zod/mini";
import { emailTaken } from "../accounts.ts";
import { resource } from "../call.ts";
import { numberText, usernameTooShort } from "../fields.ts";
import { notFound, recentLoginRequired } from "../general-errors.ts";
import { keyNotAllowed } from "../keys.ts";
import { error } from "../rules/error.ts";
import { search, userId } from "./fields.ts";

/** `enabled`; `disabled`: cannot log in, and their keys do not work. `blocked`: their links give 410, too. */
export const USER_STATES = ["enabled", "disabled", "blocked"] as const;

export const OperatorUser = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  isOperator: z.boolean(),
  state: z.enum(USER_STATES),
  /** COUNTED_LINKS_MAX: so many or more. */
  linkCount: z.int(),
  keyCount: z.int(),
  /** Null if never, or before this was recorded. */
  lastLoginAt: z.nullable(z.iso.datetime()),
});
export type OperatorUser = z.infer<typeof OperatorUser>;

/** Rows that a user has in the database; of clicks at most 100,000, of 10,000 links. */
export const StoredRows = z.object({
  clickRows: z.int(),
  earningsRows: z.int(),
});

export const UserDetails = z.extend(OperatorUser, {
  keys: z.array(z.object({ name: z.string(), start: z.string(), lastUsedAt: z.nullable(z.iso.datetime()) })),
  domains: z.array(z.string()),
  sessionCount: z.int(),
  /** Null if the identity provider does not say. */
  hasTwoFactor: z.nullable(z.boolean()),
  isEmailConfirmed: z.boolean(),
  storage: StoredRows,
});
export type UserDetails = z.infer<typeof UserDetails>;

export const operatorAccount = error(
  "operator-account",
  409,
  "This user is an operator. Remove that role first, by the command users remove-operator.",
);
export const ownAccount = error("own-account", 409, "You cannot disable or delete your own account here.");
export const secondFactorElsewhere = error(
  "second-factor-elsewhere",
  409,
  "This account logs in at another identity provider.",
);

const operator = resource("Operator", { reads: "operator", writes: "operator" });

const NOT_WITH_KEY =
  "The user must not be an operator, and the login of the session at most ten minutes old: `POST /api/sessions` renews it.";

export const listUsers = operator.get("/api/operator/users", {
  summary: "Search users",
  description: "`q` is a part of a username or email address, a short link, or a domain.",
  query: z.object({ q: z.optional(search), before: z.optional(numberText(/^\d{1,9}$/)) }),
  replies: {
    200: z.object({ users: z.array(OperatorUser), nextBefore: z.nullable(z.int()) }),
  },
  errors: [notFound],
});

const params = z.object({ id: userId });

export const getUserDetails = operator.get("/api/operator/users/:id", {
  summary: "Get a user",
  params,
  replies: { 200: UserDetails },
});

export const setUserState = operator.put("/api/operator/users/:id/state", {
  summary: "Disable or enable a user",
  description:
    "`disabled`: the user is logged out, cannot log in, and their keys do not work. `blocked`: their links give 410, too.",
  params,
  body: z.strictObject({ state: z.enum(USER_STATES) }),
  replies: { 200: z.object({}) },
  errors: [ownAccount],
  records: "account.changed",
  example: { body: { state: "disabled" } },
});

export const endUserSessions = operator.delete("/api/operator/users/:id/sessions", {
  summary: "Log a user out everywhere",
  params,
  replies: { 200: z.object({ ended: z.int() }) },
  records: "sessions.ended",
});

export const confirmUserEmail = operator.post("/api/operator/users/:id/email-confirmation", {
  summary: "Confirm the address of a user",
  description:
    "For an operator who knows that the address is the user's, such as where no email can be sent. The login of the session must be at most ten minutes old: `POST /api/sessions` renews it.",
  credentials: [["session"]],
  params,
  replies: { 200: z.object({}) },
  errors: [emailTaken, keyNotAllowed, recentLoginRequired],
  records: "email.confirmed",
});

export const resetUserTwoFactor = operator.delete("/api/operator/users/:id/two-factor", {
  summary: "Remove the second factor of a user",
  description: `Also removes their passkeys. ${NOT_WITH_KEY}`,
  credentials: [["session"]],
  params,
  isFinal: true,
  replies: { 200: z.object({}) },
  errors: [keyNotAllowed, operatorAccount, ownAccount, recentLoginRequired, secondFactorElsewhere],
  records: "two-factor.reset",
});

export const deleteUser = operator.delete("/api/operator/users/:id", {
  summary: "Delete a user",
  description: `Deletes the account with its links, as the user themselves could. ${NOT_WITH_KEY}`,
  credentials: [["session"]],
  params,
  body: z.strictObject({ username: z.string().check(z.minLength(1, usernameTooShort)) }),
  isFinal: true,
  replies: { 202: z.object({}) },
  errors: [keyNotAllowed, operatorAccount, ownAccount, recentLoginRequired],
  records: "account.deleted",
});
