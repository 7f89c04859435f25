import * as z from "zod/mini";
import { resource } from "../call.ts";
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
});

export const createInvitation = operator.post("/api/operator/invitations", {
  summary: "Invite a person",
  description: "Only this reply contains the link. It is sent to `email` where the installation sends email.",
  body: z.strictObject({ email: z.optional(email) }),
  replies: { 201: z.extend(Invitation, { url: z.string(), isSent: z.boolean() }) },
  errors: [notFound, tooManyInvitations],
  records: "invitation.created",
});

export const deleteInvitation = operator.delete("/api/operator/invitations/:id", {
  summary: "Delete an invitation",
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,8}$/)) }),
  isFinal: true,
  replies: { 200: z.object({}) },
  records: "invitation.deleted",
});
