import { type ReactNode, useEffect } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { useSession, useSessionControl } from "../session-context.tsx";
import { usePasswordLogin } from "./confirmed-form.tsx";
import { EmailForm } from "./email-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { UsernameForm } from "./username-form.tsx";

/** The user's name, email address and password, each with a form that changes it. */
export function Profile() {
  const { user } = useSession();
  const { hasPassword } = usePasswordLogin();
  useFreshUser();
  if (!user) return null;
  const { username, email } = user;
  return (
    <Card title="Name and login">
      <div className="-my-4 divide-y divide-line">
        <ProfileEntry
          name="Username"
          value={username}
          changeLabel="Change username"
          form={(close) => <UsernameForm username={username} onClose={close} />}
        />
        <ProfileEntry
          name="Email"
          value={email}
          changeLabel="Change email"
          form={hasPassword && ((close) => <EmailForm email={email} onClose={close} />)}
        />
        {hasPassword && (
          <ProfileEntry
            name="Password"
            value={null}
            changeLabel="Change password"
            form={(close) => <PasswordForm onClose={close} />}
          />
        )}
      </div>
    </Card>
  );
}

interface ProfileEntryProps {
  name: string;
  /** Null for a secret. */
  value: string | null;
  changeLabel: string;
  /** False if it cannot be changed here. */
  form: false | ((close: () => void) => ReactNode);
}

function ProfileEntry({ name, value, changeLabel, form }: ProfileEntryProps) {
  const { isOpen, button, close } = useOpenForm();
  return (
    <div className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="text-sm text-muted">{name}</h3>
          <p className="wrap-anywhere">{value ?? <span aria-hidden>{HIDDEN}</span>}</p>
        </div>
        {form && (
          <Button variant="outline" aria-label={changeLabel} {...button}>
            Change
          </Button>
        )}
      </div>
      {form && isOpen && <div className="mt-4 motion-safe:animate-appear">{form(close)}</div>}
    </div>
  );
}

const HIDDEN = "••••••••";

/** Asks for the user again when they come back from another tab, which may have changed them. */
function useFreshUser(): void {
  const { find } = useSessionControl();
  useEffect(() => {
    addEventListener("focus", find);
    return () => removeEventListener("focus", find);
  }, [find]);
}
