import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@tapthru/proto/accounts";
import { UsernameForm as Rules } from "@tapthru/proto/fields";
import { useForm } from "react-hook-form";
import { Field } from "../../../components/ui/field.tsx";
import { InlineForm } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { updateUser } from "../api.ts";
import type { SessionController } from "../session.ts";
import { useLazySession } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";

interface UsernameFormProps {
  username: string;
  onClose: () => void;
}

export function UsernameForm({ username, onClose }: UsernameFormProps) {
  const toast = useToast();
  const { store, load } = useLazySession();
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { username },
  });
  const { errors, isSubmitting } = formState;

  async function submit(values: Rules) {
    if (values.username === username) return onClose();
    const { identity } = store.get();
    try {
      const user = await changeUsername(await load(), identity?.uid ?? "", values.username);
      if (store.get().identity?.uid === identity?.uid) store.set({ user });
    } catch (error) {
      const [field, message] = profileError(error, "Failed to change your username. Please try again.");
      setError(field === "username" ? field : "root", { message }, { shouldFocus: true });
      return;
    }
    toast({ title: "Success", description: "Your username has been changed." });
    onClose();
  }

  return (
    <InlineForm
      pending={isSubmitting}
      saveLabel="Save"
      error={errors.root?.message}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <Field label="New username" autoComplete="nickname" error={errors.username?.message} {...register("username")} />
    </InlineForm>
  );
}

/** Changes the username in the backend, then at the identity provider, from which a lost backend user is restored. */
async function changeUsername(
  { provider }: Pick<SessionController, "provider">,
  uid: string,
  username: string,
): Promise<User> {
  const user = await updateUser(uid, username);
  const rename = async () => (await provider()).setDisplayName(user.username);
  await rename().catch((error) => console.warn(error));
  return user;
}
