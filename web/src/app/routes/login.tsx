import { messages } from "@tapthru/proto/rules/messages";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { LoginForm } from "../../features/session/forms/login-form.tsx";
import { paths } from "../paths.ts";
import { returnPath, SignedOutOnly } from "../session-guards.tsx";

export default function Login() {
  const { state } = useLocation();
  return (
    <SignedOutOnly signedInTo={returnPath(state)}>
      <AccountCard
        title={messages.login}
        heading={messages.welcomeBack}
        text={messages.welcomeBackText}
        footer={
          <>
            {messages.newHere}{" "}
            <PageLink to={paths.signup} state={state} className={textLinkClass}>
              {messages.signUpForFree}
            </PageLink>
          </>
        }
      >
        <LoginForm />
      </AccountCard>
    </SignedOutOnly>
  );
}
