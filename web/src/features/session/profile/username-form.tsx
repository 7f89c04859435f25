import { zodResolver } from "@hookform/resolvers/zod";
import { UsernameForm as Rules } from "@tapthru/proto/fields";
import { useForm } from "react-hook-form";
import { Field } from "../../../components/ui/field.tsx";
import { InlineForm } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { updateUser } from "../api.ts";
import { useSessionControl } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";

interface UsernameFormProps {
  username: string;
  onClose: () => void;
}

export function UsernameForm({ username, onClose }: UsernameFormProps) {
  const toast = useToast();
  const session = useSessionControl();
  const { register, setError, handleSubmit, formState } = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { username },
  });
  const { errors, isSubmitting } = formState;

  async function submit(values: Rules) {
    if (values.username === username) return onClose();
    const { identity } = session.get();
    try {
      const user = await updateUser(identity?.uid ?? "", values.username);
      if (session.get().identity?.uid === identity?.uid) session.set({ user });
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
