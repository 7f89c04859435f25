import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { patternName } from "@tapthru/proto/fields";
import { PATTERNS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { patternsOptions, useCreatePattern } from "./api.ts";
import { PatternItem } from "./pattern-item.tsx";

/** The section of the account in which the user creates and revokes link patterns. */
export function LinkPatterns() {
  return (
    <ItemsCard
      title="Link patterns"
      text="For the Amazon links on your own site: put the address of a pattern in front of each, and it becomes one of your short links when it is first opened."
      texts={{
        add: "New link pattern",
        empty: "You have no link patterns.",
        failed: "Your link patterns could not be loaded.",
        tooMany: messages.tooManyPatterns,
      }}
      maxCount={PATTERNS_MAX_COUNT}
      query={useQuery(patternsOptions)}
      item={(pattern, onRevoked) => <PatternItem pattern={pattern} onRevoked={onRevoked} />}
      form={(close) => <PatternForm onClose={close} />}
    />
  );
}

const Fields = z.object({ name: patternName });

function PatternForm({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(Fields),
    defaultValues: { name: "" },
  });
  const { errors } = formState;
  const { mutate, isPending } = useCreatePattern({
    onCreated() {
      toast({
        title: "Success",
        description: "The link pattern was created. Copy its address from the list.",
      });
      onClose();
    },
    onFailed: (message) => setError("root", { message }),
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel="Create link pattern"
      pendingLabel="Creating..."
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(fields))}
      onClose={onClose}
    >
      <Field
        label="Name of the pattern"
        hint="For example the site that you use it on."
        autoComplete="off"
        error={errors.name?.message}
        {...register("name")}
      />
    </InlineForm>
  );
}
