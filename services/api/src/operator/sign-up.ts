import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { notFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/operator/sign-up";
import { paths } from "@tapthru/proto/rules/paths";
import { deleteInvitation, findInvitations, insertInvitation } from "../accounts/invitations.ts";
import { handlers } from "../callers/handlers.ts";
import { ApiError } from "../http/errors.ts";

export const operatorSignUpHandlers = handlers(calls, {
  listInvitations: ({ db }) => findInvitations(db),

  createInvitation: async ({ db, emails, publicBaseUrl }, { body: { email = null } }) => {
    const { token, ...invitation } = await insertInvitation(db, email);
    const url = `${publicBaseUrl}${paths.signup}?invitation=${token}`;
    const sending = email === null ? undefined : emails?.sendInvitation(email, url);
    const isSent = sending !== undefined && (await bestEffort(sending.then(() => true))) === true;
    return { ...invitation, url, isSent };
  },

  deleteInvitation: async ({ db }, { params: { id } }) => {
    if (!(await deleteInvitation(db, Number(id)))) throw new ApiError(notFound);
    return {};
  },
});
