import { paths } from "@tapthru/proto/rules/paths";
import { useLocation, useNavigate } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { FormCard } from "../../components/ui/page.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { ConfirmEmailForm, ResetPasswordForm } from "../../features/session/forms/email-forms.tsx";

export function ConfirmEmail() {
  return (
    <FormCard>
      <ConfirmEmailForm token={useTokenOfEmail()} />
    </FormCard>
  );
}

export function ResetPassword() {
  const navigate = useNavigate();
  const token = useTokenOfEmail();
  return (
    <AccountCard
      title="Set a new password"
      heading="Set a new password"
      text="This logs you out in all browsers."
      footer={
        <PageLink to={paths.login} className={textLinkClass}>
          Back to the login page
        </PageLink>
      }
    >
      <ResetPasswordForm token={token} onDone={() => navigate(paths.login)} />
    </AccountCard>
  );
}

/** The token in the fragment of a link in an email, which browsers do not send to the server. "none" if the link was cut. */
function useTokenOfEmail(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash.slice(1)).get("token") ?? "none";
}
