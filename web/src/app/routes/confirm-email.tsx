import { FormCard } from "../../components/ui/page.tsx";
import { ConfirmEmailForm } from "../../features/session/forms/confirm-email-form.tsx";
import { useTokenOfEmail } from "../use-token-of-email.ts";

export default function ConfirmEmail() {
  return (
    <FormCard>
      <ConfirmEmailForm token={useTokenOfEmail()} />
    </FormCard>
  );
}
