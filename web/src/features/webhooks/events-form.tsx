import { zodResolver } from "@hookform/resolvers/zod";
import { updateWebhook, type Webhook } from "@tapthru/proto/http/webhooks";
import { messages } from "@tapthru/proto/rules/messages";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { InlineForm } from "../../components/ui/inline-form.tsx";
import { useUpdateWebhook } from "./api/change-webhook.ts";
import { EventChoices } from "./event-choices.tsx";

const Fields = z.required(z.pick(updateWebhook.body, { events: true }));

/** Changes the events that a webhook receives. */
export function EventsForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { control, handleSubmit } = useForm<z.input<typeof Fields>>({
    resolver: zodResolver(Fields),
    defaultValues: { events: webhook.events },
  });
  const { field, fieldState } = useController({ control, name: "events" });
  const { mutate, isPending } = useUpdateWebhook(webhook);

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={handleSubmit((change) => mutate(change, { onSuccess: onClose }))}
      onClose={onClose}
    >
      <EventChoices
        values={field.value}
        onChange={field.onChange}
        error={fieldState.error?.message}
        inputRef={field.ref}
      />
    </InlineForm>
  );
}
