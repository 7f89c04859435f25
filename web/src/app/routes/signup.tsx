import { messages } from "@tapthru/proto/rules/messages";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { SignUp } from "../../features/session/forms/sign-up.tsx";
import { pathOfLogin } from "../path-after-login.ts";
import { paths } from "../paths.ts";
import { SignedOutOnly } from "../session-guards.tsx";

export default function SignupPage() {
  const { state } = useLocation();
  return (
    <SignedOutOnly signedInTo={paths.dashboard}>
      <AccountCard
        title={messages.signUp}
        heading={messages.createAccount}
        text={messages.createAccountText}
        footer={
          <>
            {messages.haveAccount}{" "}
            <PageLink to={paths.login} state={state} className={textLinkClass}>
              {messages.loginInstead}
            </PageLink>
          </>
        }
      >
        <SignUp openIdReturnPath={pathOfLogin(paths.dashboard)} />
      </AccountCard>
    </SignedOutOnly>
  );
}
