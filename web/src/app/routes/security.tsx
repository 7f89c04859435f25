import { Sessions } from "../../features/account/sessions.tsx";
import { supportsPasskeys } from "../../features/session/request-passkey.ts";
import { Passkeys } from "../../features/session/security/passkeys.tsx";
import { TwoFactor } from "../../features/session/security/two-factor.tsx";
import { useConfig } from "../../lib/config.ts";
import { useLogOut } from "../use-log-out.ts";

export default function Security() {
  const logOut = useLogOut();
  const { firebase, hasPasswordLogin } = useConfig();
  const isBuiltIn = firebase === null;
  return (
    <>
      <Sessions onLoggedOut={logOut} />
      {isBuiltIn && <TwoFactor />}
      {isBuiltIn && hasPasswordLogin && supportsPasskeys() && <Passkeys />}
    </>
  );
}
