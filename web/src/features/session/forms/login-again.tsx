import { useId } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { PANEL } from "../../../components/ui/dialog.tsx";
import { Modal } from "../../../components/ui/modal.tsx";
import { useSession, useSessionControl } from "../session-context.tsx";
import { Login } from "./login.tsx";

/** Over a page that holds work: its login has ended. The requests that were refused go on after the next one. */
export default function LoginAgain() {
  const id = useId();
  const { user } = useSession();
  const { leave } = useSessionControl();
  return (
    <Modal aria-labelledby={id} onClose={() => {}} className={PANEL}>
      <h2 id={id} className="text-lg font-semibold tracking-tight">
        Your login has ended
      </h2>
      <p className="mt-2 mb-5 leading-6 text-pretty wrap-anywhere text-muted">
        Log in again as <bdi className="font-medium text-ink">{user?.username}</bdi>, and this page goes on where it
        stopped.
      </p>
      <Login {...(user && { email: user.email })} />
      <div className="mt-3 text-center">
        <Button variant="quiet" onClick={leave}>
          Leave without saving
        </Button>
      </div>
    </Modal>
  );
}
