import * as z from "zod/mini";
import { invitationInvalid, invitationToken } from "./accounts.ts";
import { ROLES, resource } from "./call.ts";
import { keyName } from "./fields.ts";
import { notFound } from "./general-errors.ts";
import { error } from "./rules/error.ts";
import { MEMBERS_MAX_COUNT } from "./rules/limits.ts";

export const accountId = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, notFound.message)), z.transform(Number));
const role = z.enum(ROLES);

/** A member of an account, or an open invitation. The user of the account is always an owner, and not listed. */
export const Member = z.object({
  id: z.int(),
  name: z.string(),
  role,
  /** Null while the invitation is open. */
  username: z.nullable(z.string()),
  joinedAt: z.nullable(z.iso.datetime()),
  /** Null once the invitation was accepted. */
  expiresAt: z.nullable(z.iso.datetime()),
});
export type Member = z.infer<typeof Member>;

export const Membership = z.object({
  /** The account, for the header `Tapthru-Account`. */
  id: z.int(),
  username: z.string(),
  role,
});
export type Membership = z.infer<typeof Membership>;

const roles = { reads: "viewer", writes: "owner" } as const;
export const alreadyMember = error("already-member", 409, "You already have access to this account.");
export const notAMember = error("not-a-member", 403, "You are not a member of this account.");
export const otherAccount = error("other-account", 400, "This works only for your own account. Leave out the account.");
export const roleRequired = error("role-required", 403, "Your role in this account does not allow this.");
export const tooManyMembers = error(
  "too-many-members",
  409,
  `An account can have ${MEMBERS_MAX_COUNT} members, including open invitations, and a user can be a member of ${MEMBERS_MAX_COUNT} accounts.`,
);

const members = resource("Members", { reads: "session", writes: "session", roles });
const memberships = resource("Members", { reads: "session", writes: "session" });
const params = z.object({ id: accountId });

export const listMembers = members.get("/api/members", {
  summary: "List members",
  description: "The people who may act in the account besides its user, and open invitations.",
  replies: { 200: z.array(Member) },
});

export const inviteMember = members.post("/api/members", {
  needsConfirmedEmail: true,
  summary: "Invite a member",
  description:
    "Only this reply contains the link. One user can accept it, within seven days. An account has at most 20 members and open invitations.",
  limit: "ownAccount",
  body: z.strictObject({ name: keyName, role }),
  replies: { 201: z.extend(Member, { url: z.string() }) },
  errors: [tooManyMembers],
  records: "member.created",
  example: { replies: { 201: { username: null, joinedAt: null, expiresAt: "2099-12-04T08:00:00.000Z" } } },
});

export const updateMember = members.patch("/api/members/:id", {
  summary: "Change the role of a member",
  description: "It applies from the member's next request on, also to their API keys.",
  params,
  body: z.strictObject({ role }),
  replies: { 200: z.object({ role }) },
  records: "member.changed",
});

export const removeMember = members.delete("/api/members/:id", {
  summary: "Remove a member or an open invitation",
  description: "The member's API keys in the account are deleted.",
  params,
  isFinal: true,
  replies: { 200: z.object({}) },
  records: "member.deleted",
});

export const listMemberships = memberships.get("/api/memberships", {
  summary: "List the accounts of which the user is a member",
  replies: { 200: z.array(Membership) },
});

export const joinAccount = memberships.post("/api/memberships", {
  summary: "Accept an invitation to an account",
  description: "`token` is from the invitation's link. A user is a member of at most 20 accounts.",
  limit: "ownAccount",
  body: z.strictObject({ token: invitationToken }),
  replies: { 201: Membership },
  errors: [alreadyMember, invitationInvalid, tooManyMembers],
  records: "member.changed",
});

export const leaveAccount = memberships.delete("/api/memberships/:id", {
  summary: "Leave an account",
  description: "The user's API keys in the account are deleted.",
  params,
  isFinal: true,
  replies: { 200: z.object({}) },
  records: "member.deleted",
});
