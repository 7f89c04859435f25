import * as z from "zod/mini";
import { EXAMPLE_USER } from "./accounts.ts";
import { ROLES, resource } from "./call.ts";
import { EXAMPLE_BASE_URL } from "./example-values.ts";
import { invitationToken, memberName } from "./fields.ts";
import { messages } from "./rules/messages.ts";

const idText = z.string().check(z.regex(/^[1-9]\d{0,8}$/, messages.notFound));
export const accountId = z.pipe(idText, z.transform(Number));
const role = z.enum(ROLES);

/** A member of an account, beside its user, who is always an owner. */
export const Member = z.object({
  /** Of the user who is the member. */
  id: z.int(),
  username: z.string(),
  /** From the invitation. */
  name: z.string(),
  role,
  createdAt: z.iso.datetime(),
});

/** Open: not used, and not expired. */
export const MemberInvitation = z.object({
  id: z.int(),
  name: z.string(),
  role,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

/** An account of which the caller is a member. */
export const Membership = z.object({
  /** Of the account, for the header `Tapthru-Account`. */
  id: z.int(),
  /** Of its user. */
  username: z.string(),
  role,
});
export type Membership = z.infer<typeof Membership>;

const members = resource("Members", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "owner" },
});
const memberships = resource("Members", { reads: "session", writes: "session" });

const params = z.object({ id: accountId });
const EXAMPLE_MEMBER: z.infer<typeof Member> = {
  id: 57,
  username: "ben",
  name: "Ben",
  role: "editor",
  createdAt: "2026-11-27T08:00:00.000Z",
};
const { username: _, ...ofInvitation } = EXAMPLE_MEMBER;
const INVITATION = { ...ofInvitation, id: 8, expiresAt: "2026-12-04T08:00:00.000Z" };
export const EXAMPLE_MEMBERSHIP: Membership = { id: EXAMPLE_USER.id, username: EXAMPLE_USER.username, role: "editor" };
const memberExample = { params: { id: String(EXAMPLE_MEMBER.id) }, replies: { 200: {} } };

export const listMembers = members.get("/api/members", {
  summary: "List members",
  description: "Who may act in the account, beside its user, the first members first.",
  replies: { 200: z.array(Member) },
  example: { replies: { 200: [EXAMPLE_MEMBER] } },
});

export const updateMember = members.patch("/api/members/:id", {
  summary: "Change the role of a member",
  description: "It holds from the next request of the member on, also for their API keys.",
  params,
  body: z.strictObject({ role }),
  replies: { 200: z.object({ role }) },
  records: "member.changed",
  example: { params: memberExample.params, body: { role: "viewer" }, replies: { 200: { role: "viewer" } } },
});

export const removeMember = members.delete("/api/members/:id", {
  summary: "Remove a member",
  description: "Their API keys in the account are deleted.",
  params,
  replies: { 200: z.object({}) },
  records: "member.deleted",
  example: memberExample,
});

export const listMemberInvitations = members.get("/api/members/invitations", {
  summary: "List open invitations to the account",
  role: "owner",
  replies: { 200: z.array(MemberInvitation) },
  example: { replies: { 200: [INVITATION] } },
});

export const createMemberInvitation = members.post("/api/members/invitations", {
  summary: "Invite a member",
  description:
    "Only this reply contains the link. One user can accept it, within seven days. An account has 20 members and 20 open invitations at most.",
  limit: "ownAccount",
  body: z.strictObject({ name: memberName, role }),
  replies: { 201: z.extend(MemberInvitation, { url: z.string() }) },
  errors: ["too-many-members"],
  records: "member-invitation.created",
  example: {
    body: { name: INVITATION.name, role: INVITATION.role },
    replies: { 201: { ...INVITATION, url: `${EXAMPLE_BASE_URL}/join#token=Xo9sJtqk3m2fVb7cLr5aQw` } },
  },
});

export const deleteMemberInvitation = members.delete("/api/members/invitations/:id", {
  summary: "Delete an invitation to the account",
  params,
  replies: { 200: z.object({}) },
  records: "member-invitation.deleted",
  example: { params: { id: String(INVITATION.id) }, replies: { 200: {} } },
});

export const listMemberships = memberships.get("/api/memberships", {
  summary: "List accounts of which the user is a member",
  replies: { 200: z.array(Membership) },
  example: { replies: { 200: [EXAMPLE_MEMBERSHIP] } },
});

export const acceptMemberInvitation = memberships.post("/api/memberships", {
  summary: "Accept an invitation to an account",
  description: "`token` is that of the invitation's link. A user is a member of 20 accounts at most.",
  limit: "ownAccount",
  body: z.strictObject({ token: invitationToken }),
  replies: { 201: Membership },
  errors: ["already-member", "invitation-invalid", "too-many-members"],
  records: ["member-invitation.deleted", "member.created"],
  example: { body: { token: "Xo9sJtqk3m2fVb7cLr5aQw" }, replies: { 201: EXAMPLE_MEMBERSHIP } },
});

export const leaveAccount = memberships.delete("/api/memberships/:id", {
  summary: "Leave an account",
  description: "The user's API keys in the account are deleted.",
  params,
  replies: { 200: z.object({}) },
  records: "member.deleted",
  example: { params: { id: String(EXAMPLE_MEMBERSHIP.id) }, replies: { 200: {} } },
});
