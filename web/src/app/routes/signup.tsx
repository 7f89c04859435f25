import { messages } from "@tapthru/proto/rules/messages";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { SignUpForm } from "../../features/session/forms/sign-up-form.tsx";
import { paths } from "../paths.ts";
import { SignedOutOnly } from "../session-guards.tsx";

export default function Signup() {
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
        <SignUpForm />
      </AccountCard>
    </SignedOutOnly>
  );
}
