import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useLocation } from "react-router-dom";
import { useConfig } from "../../../lib/config.ts";
import { invitation } from "../invitation.ts";
import { Divider } from "./login.tsx";
import { OpenIdButton } from "./open-id-button.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

/** All ways to create an account, or why nobody can. The link of an invitation leads here. */
export function SignUp({ openIdReturnPath }: { openIdReturnPath: string }) {
  const { signUp, hasPasswordLogin, openIdConnect } = useConfig();
  const { search } = useLocation();
  const [isInvited] = useState(() => {
    const token = new URLSearchParams(search).get("invitation");
    if (token) invitation.set(token);
    return token !== null || invitation.get() !== undefined;
  });
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
