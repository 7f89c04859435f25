import { paths } from "@tapthru/proto/rules/paths";
import { useLocation } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { Login } from "../../features/session/forms/login.tsx";
import { useOpenIdErrorToast } from "../../features/session/forms/open-id-button.tsx";
import { useConfig } from "../../lib/config.ts";
import { returningTo, returnPath } from "../../lib/return-path.ts";
import { SignedOutOnly } from "../session-guards.tsx";

export default function LoginPage() {
  const { signUp } = useConfig();
  const { search } = useLocation();
  const from = returnPath(search) ?? paths.dashboard;
  useOpenIdErrorToast();
  return (
    <SignedOutOnly>
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
              <PageLink to={{ pathname: paths.signup, search }} className={textLinkClass}>
                Sign up for free
              </PageLink>
            </>
          )
        }
      >
        <Login openIdReturnPath={returningTo(from)} />
      </AccountCard>
    </SignedOutOnly>
  );
}
