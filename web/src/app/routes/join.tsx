import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { buttonClass, textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { Action } from "../../kit/action.tsx";
import { dashboardOf } from "../../lib/account-address.ts";
import { leaveTo } from "../../lib/leave.ts";
import { returningTo } from "../../lib/return-path.ts";
import { readText, writeText } from "../../lib/stored-texts.ts";
import { RequireSession } from "../session-guards.tsx";

const KEY = "member_invitation";

/** The link of an invitation to an account leads here. Its token is kept until the guest has logged in. */
export default function Join() {
  const { hash } = useLocation();
  const [token] = useState(() => {
    const ofLink = new URLSearchParams(hash.slice(1)).get("token");
    if (ofLink !== null) writeText(KEY, ofLink, "sessionStorage");
    return ofLink ?? readText(KEY, "sessionStorage") ?? "none";
  });
  const { status, user } = useSession();
  const isGuest = status === "signed-out";
  const page = (
    <Page
      layout="narrow"
      title="Invitation"
      heading="Work in another account"
      intro="You are invited to work in the account of another user, with your own login. Your own account and your links stay as they are."
    >
      <FormCard>
        <div className="flex flex-col gap-4 text-center leading-6">
          {isGuest ? (
            <>
              <PageLink to={returningTo(paths.join)} className={buttonClass()}>
                Log in to accept
              </PageLink>
              <p className="text-pretty text-muted">
                You need an account on this site.{" "}
                <PageLink to={returningTo(paths.join, paths.signup)} className={textLinkClass}>
                  Sign up
                </PageLink>
              </p>
            </>
          ) : (
            <>
              <p className="wrap-anywhere">
                You are logged in as <bdi className="font-medium">{user?.username}</bdi>.
              </p>
              <Action
                call="POST /api/memberships"
                input={{ body: { token } }}
                label="Accept the invitation"
                variant="primary"
                onDone={(account) => {
                  writeText(KEY, null, "sessionStorage");
                  if (account) leaveTo(dashboardOf(account));
                }}
              />
            </>
          )}
        </div>
      </FormCard>
    </Page>
  );
  return isGuest ? page : <RequireSession signedOutTo={paths.login}>{page}</RequireSession>;
}
