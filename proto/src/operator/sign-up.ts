import * as z from "zod/mini";
import { EXAMPLE_USER } from "../accounts.ts";
import { resource } from "../call.ts";
import { EXAMPLE_BASE_URL } from "../example-values.ts";
import { email } from "../fields.ts";
import { notFound } from "../general-errors.ts";
import { error } from "../rules/error.ts";
import { INVITATIONS_MAX_COUNT } from "../rules/limits.ts";

export const tooManyInvitations = error(
  "too-many-invitations",
  409,
  `There are ${INVITATIONS_MAX_COUNT} open invitations, the maximum. Please delete one first.`,
);

const operator = resource("Operator", { reads: "operator", writes: "operator" });

const INVITATION = {
  id: 3,
  email: EXAMPLE_USER.email,
  createdAt: "2026-11-26T08:00:00.000Z",
  expiresAt: "2026-12-03T08:00:00.000Z",
};

export const Invitation = z.object({
  id: z.int(),
  email: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof Invitation>;

export const listInvitations = operator.get("/api/operator/invitations", {
  summary: "List open invitations",
  replies: { 200: z.array(Invitation) },
  errors: [notFound],
  example: { replies: { 200: [INVITATION] } },
});

export const createInvitation = operator.post("/api/operator/invitations", {
  summary: "Invite a person",
  description: "Only this reply contains the link. It is sent to `email` where the installation sends email.",
  body: z.strictObject({ email: z.optional(email) }),
  replies: { 201: z.extend(Invitation, { url: z.string(), isSent: z.boolean() }) },
  errors: [notFound, tooManyInvitations],
  records: "invitation.created",
  example: {
    body: { email: EXAMPLE_USER.email },
    replies: {
      201: {
        ...INVITATION,
        url: `${EXAMPLE_BASE_URL}/signup?invitation=Xo9sJtqk3m2fVb7cLr5aQw`,
        isSent: true,
      },
    },
  },
});

export const deleteInvitation = operator.delete("/api/operator/invitations/:id", {
  summary: "Delete an invitation",
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,8}$/)) }),
  replies: { 200: z.object({}) },
  records: "invitation.deleted",
  example: { params: { id: "3" }, replies: { 200: {} } },
});
