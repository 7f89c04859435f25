import { paths } from "@tapthru/proto/rules/paths";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { Login } from "../../features/session/forms/login.tsx";
import { useOpenIdErrorToast } from "../../features/session/forms/open-id-button.tsx";
import { useConfig } from "../../lib/config.ts";
import { pathAfterLogin, pathOfLogin, SignedOutOnly } from "../session-guards.tsx";

export default function LoginPage() {
  const { signUp } = useConfig();
  const location = useLocation();
  const from = pathAfterLogin(location);
  useOpenIdErrorToast();
  return (
    <SignedOutOnly signedInTo={from}>
      <AccountCard
        title="Login"
        heading="Welcome back"
        text={
          from === paths.dashboard
            ? "Log in to find, rename and share your links."
            : "Log in to see the page that you opened."
        }
        footer={
          signUp !== "closed" && (
            <>
              New here?{" "}
              <PageLink to={paths.signup} state={location.state} className={textLinkClass}>
                Sign up for free
              </PageLink>
            </>
          )
        }
      >
        <Login openIdReturnPath={pathOfLogin(from)} />
      </AccountCard>
    </SignedOutOnly>
  );
}
