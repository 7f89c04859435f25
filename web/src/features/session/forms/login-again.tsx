import { useId } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { PANEL } from "../../../components/ui/dialog.tsx";
import { Modal } from "../../../components/ui/modal.tsx";
import { useSession } from "../session-context.tsx";
import { Login } from "./login.tsx";

/** Over a page whose login has ended. The requests that were refused go on after the next one. */
export default function LoginAgain({ onClose, onGoOn }: Record<"onClose" | "onGoOn", () => void>) {
  const id = useId();
  const { user } = useSession();
  return (
    <Modal aria-labelledby={id} onClose={onClose} className={PANEL}>
      <h2 id={id} className="text-lg font-semibold tracking-tight">
        Your login has ended
      </h2>
      <p className="mt-2 mb-5 leading-6 text-pretty text-muted">
        Log in again, and this page goes on where it stopped. Without an account, only new links go on.
      </p>
      <Login {...(user && { email: user.email })} />
      <div className="mt-3 text-center">
        <Button variant="quiet" onClick={onGoOn}>
          Go on without an account
        </Button>
      </div>
    </Modal>
  );
}
