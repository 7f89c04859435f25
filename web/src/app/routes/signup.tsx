import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { SignUp } from "../../features/session/forms/sign-up.tsx";
import { invitation } from "../../features/session/invitation.ts";
import { returningTo, returnPath } from "../../lib/return-path.ts";
import { SignedOutOnly } from "../session-guards.tsx";

export default function SignupPage() {
  const { search } = useLocation();
  // Also if the page then redirects a signed-in user who has no account yet.
  const [isInvited] = useState(() => {
    const token = new URLSearchParams(search).get("invitation");
    if (token) invitation.set(token);
    return token !== null || invitation.get() !== undefined;
  });
  return (
    <SignedOutOnly>
      <AccountCard
        title="Sign up"
        heading="Create your account"
        text="Your links never expire, and you can rename them at any time."
        footer={
          <>
            Already have an account?{" "}
            <PageLink to={{ pathname: paths.login, search }} className={textLinkClass}>
              Login instead
            </PageLink>
          </>
        }
      >
        <SignUp openIdReturnPath={returningTo(returnPath(search) ?? paths.dashboard)} isInvited={isInvited} />
      </AccountCard>
    </SignedOutOnly>
  );
}
