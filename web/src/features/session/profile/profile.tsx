import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../../components/ui/card.tsx";
import { useSession } from "../session-context.tsx";
import { EmailForm } from "./email-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileEntry } from "./profile-entry.tsx";
import { useFreshAccount } from "./use-fresh-account.ts";
import { UsernameForm } from "./username-form.tsx";

interface ProfileProps {
  /** Called after a new password, which replaces the sessions. */
  onPasswordChanged: () => void;
}

/** The user's name, email address and password, each with a form that changes it. */
export function Profile({ onPasswordChanged }: ProfileProps) {
  const { account } = useSession();
  useFreshAccount();
  if (!account) return null;
  const { username, email } = account;
  return (
    <Card title={messages.profile}>
      <div className="-my-4 divide-y divide-line">
        <ProfileEntry
          name={messages.username}
          value={username}
          changeLabel={messages.changeUsername}
          form={(close) => <UsernameForm username={username} onClose={close} />}
        />
        <ProfileEntry
          name={messages.email}
          value={email}
          changeLabel={messages.changeEmail}
          form={(close) => <EmailForm email={email} onClose={close} />}
        />
        <ProfileEntry
          name={messages.password}
          value={null}
          changeLabel={messages.changePassword}
          form={(close) => (
            <PasswordForm email={email} onChanged={onPasswordChanged} onClose={close} />
          )}
        />
      </div>
    </Card>
  );
}
