import { messages } from "@tapthru/proto/rules/messages";
import type { WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { WEBHOOK_EVENTS } from "@tapthru/proto/rules/webhooks";
import type { Ref } from "react";
import { CheckboxList } from "../../components/ui/checkbox-list.tsx";

const CHOICES = WEBHOOK_EVENTS.map((value) => ({
  value,
  name: messages.webhookEventNames[value],
  text: messages.webhookEventTexts[value],
}));

interface EventChoicesProps {
  values: readonly WebhookEvent[];
  onChange: (values: WebhookEvent[]) => void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}

export function EventChoices(props: EventChoicesProps) {
  return <CheckboxList legend={messages.webhookEvents} choices={CHOICES} {...props} />;
}
