import { type LinkPattern, updatePattern } from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/inline-form.tsx";
import { useChangePatternTags } from "./api/patterns.ts";

const Tags = updatePattern.body.shape.tags;

/** Changes the tags that a pattern is restricted to. */
export function TagsForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { tags: pattern.tags.join(", ") },
  });
  const { mutate, isPending } = useChangePatternTags(pattern);

  function submit({ tags }: { tags: string }) {
    const parsed = z.safeParse(Tags, tags.split(/[\s,;]+/).filter(Boolean));
    if (parsed.success) mutate(parsed.data, { onSuccess: onClose });
    else
      setError("tags", { message: parsed.error.issues[0]?.message ?? "" }, { shouldFocus: true });
  }

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <Field
        label={messages.allowedTags}
        hint={messages.allowedTagsHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={formState.errors.tags?.message}
        {...register("tags")}
      />
    </InlineForm>
  );
}
