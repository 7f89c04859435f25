import { paths } from "@tapthru/proto/rules/paths";
import { useNavigate } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AccountCard } from "../../features/session/forms/account-card.tsx";
import { ResetPasswordForm } from "../../features/session/forms/reset-password-form.tsx";
import { useTokenOfEmail } from "../use-token-of-email.ts";

export default function ResetPassword() {
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
