import { messages } from "@tapthru/proto/rules/messages";
import { useConfig } from "../../../lib/config.ts";
import { Divider } from "./login.tsx";
import { OpenIdButton } from "./open-id-button.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

interface SignUpProps {
  openIdReturnPath: string;
  isInvited: boolean;
}

/** All ways to create an account, or why nobody can. */
export function SignUp({ openIdReturnPath, isInvited }: SignUpProps) {
  const { signUp, hasPasswordLogin, openIdConnect } = useConfig();
  if (signUp !== "open" && !isInvited) {
    return (
      <p role="alert" className="leading-6 text-pretty">
        {signUp === "closed" ? messages.signUpClosed : messages.signUpByInvitation}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      {hasPasswordLogin && <SignUpForm />}
      {hasPasswordLogin && openIdConnect && <Divider />}
      <OpenIdButton returnPath={openIdReturnPath} />
    </div>
  );
}
