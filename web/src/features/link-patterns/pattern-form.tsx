import { zodResolver } from "@hookform/resolvers/zod";
import { patternName } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/inline-form.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { useCreatePattern } from "./api/patterns.ts";

const Fields = z.object({ name: patternName });

export function PatternForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(Fields),
    defaultValues: { name: "" },
  });
  const { errors } = formState;
  const { mutate, isPending } = useCreatePattern({
    onCreated() {
      toast({ title: messages.success, description: messages.patternCreated });
      onClose();
    },
    onFailed: (message) => setError("root", { message }),
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.createPattern}
      pendingLabel={messages.creatingPattern}
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label={messages.patternName}
        hint={messages.patternNameHint}
        autoComplete="off"
        error={errors.name?.message}
        {...register("name")}
      />
    </InlineForm>
  );
}
