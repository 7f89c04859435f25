import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useConfig } from "../../../lib/config.ts";
import { SIGN_UP_BY_INVITATION } from "../session-errors.ts";
import { Divider } from "./login.tsx";
import { OpenIdButton } from "./open-id-button.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

interface SignUpProps {
  openIdReturnPath: string;
  isInvited: boolean;
}

/** All ways to create an account, or the reason why sign-up is unavailable. */
export function SignUp({ openIdReturnPath, isInvited }: SignUpProps) {
  const { signUp, hasPasswordLogin, openIdConnect } = useConfig();
  const [isRefused, setRefused] = useState(false);
  if (signUp !== "open" && (isRefused || !isInvited)) {
    const reason = signUp === "closed" ? messages.signUpClosed : SIGN_UP_BY_INVITATION;
    return (
      <p role="alert" className="leading-6 text-pretty">
        {isRefused ? messages.invitationInvalid : reason}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      {hasPasswordLogin && <SignUpForm onInvitationRefused={() => setRefused(true)} />}
      {hasPasswordLogin && openIdConnect && <Divider />}
      <OpenIdButton returnPath={openIdReturnPath} />
    </div>
  );
}
