import { messages } from "@tapthru/proto/rules/messages";
import { Sessions } from "../../features/account/sessions.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { useLogOut } from "../use-log-out.ts";

export default function Account() {
  usePageTitle(messages.yourAccount);
  const { user } = useSession();
  const logOut = useLogOut();
  return (
    <div className="mx-auto w-full max-w-2xl px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">{messages.yourAccount}</h1>
      <p className="mt-2 mb-7 wrap-anywhere text-muted sm:mb-10">{user?.email}</p>
      <Sessions onLoggedOut={logOut} />
    </div>
  );
}
