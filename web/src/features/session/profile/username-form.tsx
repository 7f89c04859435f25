import { UsernameForm as Rules } from "@tapthru/proto/fields";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { useSessionControl } from "../session-context.tsx";

interface UsernameFormProps {
  username: string;
  onClose: () => void;
}

export function UsernameForm({ username, onClose }: UsernameFormProps) {
  const session = useSessionControl();
  const firebaseUid = session.get().identity?.uid ?? "";
  return (
    <CallForm
      call="PATCH /api/users/:firebaseUid"
      rules={Rules}
      values={{ username }}
      input={(body) => ({ params: { firebaseUid }, body })}
      done="Your username has been changed."
      failed="Failed to change your username. Please try again."
      onDone={(user) => {
        if (session.get().identity?.uid === firebaseUid) session.set({ user });
      }}
      onClose={onClose}
    >
      <TextField name="username" label="New username" autoComplete="nickname" />
    </CallForm>
  );
}
