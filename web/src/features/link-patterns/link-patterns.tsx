import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { patternName } from "@tapthru/proto/http/fields";
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
      title={messages.linkPatterns}
      text={messages.linkPatternsText}
      texts={{
        add: messages.newPattern,
        empty: messages.noPatterns,
        failed: messages.patternsNotLoaded,
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
