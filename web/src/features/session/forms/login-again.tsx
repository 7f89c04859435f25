import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { SaidHere } from "../../../components/ui/toaster.tsx";
import { useSession } from "../session-context.tsx";
import { Login } from "./login.tsx";

/** Over a page whose login has ended. The requests that were refused continue after the next one. */
export default function LoginAgain({ onClose, onGoOn }: Record<"onClose" | "onGoOn", () => void>) {
  const { user } = useSession();
  return (
    <Dialog title="Your login has ended" onClose={onClose}>
      <p className="mb-5 leading-6 text-pretty text-muted">
        Log in again, and this page continues where it stopped. Without an account, only new links continue.
      </p>
      <SaidHere />
      <Login {...(user && { email: user.email })} />
      <div className="mt-3 text-center">
        <Button variant="quiet" onClick={onGoOn}>
          Continue without an account
        </Button>
      </div>
    </Dialog>
  );
}
