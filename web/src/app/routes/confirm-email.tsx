import { buttonClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { ConfirmEmailForm } from "../../features/session/forms/confirm-email-form.tsx";
import { paths } from "../paths.ts";
import { useTokenOfEmail } from "../use-token-of-email.ts";

export default function ConfirmEmail() {
  return (
    <Page layout="narrow" title="Confirm your email" intro="Confirm that this email address is yours.">
      <FormCard>
        <ConfirmEmailForm
          token={useTokenOfEmail()}
          next={
            <PageLink to={paths.dashboard} className={buttonClass("outline")}>
              Continue
            </PageLink>
          }
        />
      </FormCard>
    </Page>
  );
}
