import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { bestEffort } from "@tapthru/core/platform/redis/errors";
import { OPEN_ID_CALLBACK_PATH } from "@tapthru/proto/http/identity";
import {
  createInvitation,
  deleteInvitation,
  getLoginSettings,
  listInvitations,
} from "@tapthru/proto/http/operator/sign-up";
import { paths } from "@tapthru/proto/rules/paths";
import type * as z from "zod/mini";
import type { Emails } from "../accounts/built-in/emails.ts";
import {
  findInvitations,
  insertInvitation,
  deleteInvitation as removeInvitation,
} from "../accounts/invitations.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";

type LoginSettings = z.output<(typeof getLoginSettings)["replies"][200]>;

export interface SignUpRoutesDependencies {
  db: Db<"any" | "maybeOne">;
  loginSettings: Omit<LoginSettings, "openIdCallbackUrl">;
  publicBaseUrl: string;
  /** Null: this installation cannot send emails. */
  emails: Emails | null;
}

export function operatorSignUpRoutes(router: ApiRouter, deps: SignUpRoutesDependencies) {
  const { db, loginSettings, publicBaseUrl, emails } = deps;

  mount(router, getLoginSettings, async () => ({
    status: 200,
    body: { ...loginSettings, openIdCallbackUrl: publicBaseUrl + OPEN_ID_CALLBACK_PATH },
  }));

  mount(router, listInvitations, async () => ({
    status: 200,
    body: (await findInvitations(db)).map(withIsoTimes),
  }));

  mount(router, createInvitation, async (_ctx, { body: { email = null } }) => {
    const { token, ...invitation } = await insertInvitation(db, email);
    const url = `${publicBaseUrl}${paths.signup}?invitation=${token}`;
    const sending = email === null ? undefined : emails?.sendInvitation(email, url);
    const isSent = sending !== undefined && (await bestEffort(sending.then(() => true))) === true;
    return { status: 201, body: { ...withIsoTimes(invitation), url, isSent } };
  });

  mount(router, deleteInvitation, async (_ctx, { params }) => {
    if (!(await removeInvitation(db, Number(params.id)))) throw new ApiError("not-found");
    return { status: 200, body: {} };
  });
}

function withIsoTimes<Times extends { createdAt: number; expiresAt: number }>(times: Times) {
  return {
    ...times,
    createdAt: new Date(times.createdAt).toISOString(),
    expiresAt: new Date(times.expiresAt).toISOString(),
  };
}
