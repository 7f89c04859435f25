import * as z from "zod/mini";
import type { Call } from "../call.ts";
import { email } from "../fields.ts";

/** How people log in to this installation. For operators. */
export const getLoginSettings = {
  method: "GET",
  path: "/api/operator/login",
  access: "operator",
  replies: {
    200: z.object({
      provider: z.enum(["built-in", "firebase"]),
      signUp: z.enum(["open", "invitation", "closed"]),
      /** Whether SMTP_FROM is set. */
      sendsEmail: z.boolean(),
      openIdConnect: z.nullable(z.object({ issuer: z.string(), name: z.string() })),
      /** To be entered at an OpenID provider. */
      openIdCallbackUrl: z.string(),
    }),
  },
} as const satisfies Call;

const Invitation = z.object({
  id: z.int(),
  /** The address to which the operator sent it. */
  email: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

/** The invitations that can still be used, the newest first. */
export const listInvitations = {
  method: "GET",
  path: "/api/operator/invitations",
  access: "operator",
  replies: { 200: z.array(Invitation) },
} as const satisfies Call;

/** Creates a link with which one person can sign up. It is sent to `email` where the installation sends email. */
export const createInvitation = {
  method: "POST",
  path: "/api/operator/invitations",
  access: "operator",
  body: z.strictObject({ email: z.optional(email) }),
  replies: { 201: z.extend(Invitation, { url: z.string(), isSent: z.boolean() }) },
} as const satisfies Call;

export const deleteInvitation = {
  method: "DELETE",
  path: "/api/operator/invitations/:id",
  access: "operator",
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,8}$/)) }),
  replies: { 200: z.object({}) },
} as const satisfies Call;
