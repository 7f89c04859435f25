import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { email } from "@tapthru/proto/fields";
import { INVITATIONS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { FAILED_TO_COPY_BY_HAND } from "../../components/copy-button.tsx";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { formatDay } from "../../lib/dates.ts";
import {
  type Invitation,
  invitationsOptions,
  type NewInvitation,
  useCreateInvitation,
  useDeleteInvitation,
} from "./api.ts";

/** The section of the operator's page that creates links with which others can sign up. */
export function Invitations() {
  return (
    <ItemsCard
      title="Invitations"
      text="Each link lets one person create an account, for 7 days."
      texts={{
        add: "Invite a user",
        empty: "There are no open invitations.",
        failed: "The invitations could not be loaded.",
        tooMany: messages.tooManyInvitations,
      }}
      maxCount={INVITATIONS_MAX_COUNT}
      query={useQuery(invitationsOptions)}
      item={(invitation, onDeleted) => <InvitationItem invitation={invitation} onDeleted={onDeleted} />}
      form={(close) => <InvitationForm onClose={close} />}
    />
  );
}

const Rules = z.object({ email: z.union([z.literal(""), email]) });

function InvitationForm({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewInvitation>();
  const { register, handleSubmit, setError, formState } = useForm<z.infer<typeof Rules>>({
    resolver: zodResolver(Rules),
    defaultValues: { email: "" },
  });
  const { errors } = formState;
  const { mutate, isPending } = useCreateInvitation({
    onCreated: setCreated,
    onFailed: (message) => setError("root", { message }),
  });
  if (created) {
    const isSentTo = created.isSent ? created.email : null;
    return (
      <NewSecret
        secret={created.url}
        texts={{
          title: "Copy the link now",
          text: isSentTo
            ? `We sent it to ${isSentTo}. You can also pass it on yourself. It is not shown again.`
            : "It is not shown again. Send it to the person that you invite.",
          copy: "Copy invitation",
          copied: "Invitation copied to clipboard",
          failedToCopy: FAILED_TO_COPY_BY_HAND,
          saved: "Done",
        }}
        onDone={onClose}
      />
    );
  }
  return (
    <InlineForm
      pending={isPending}
      saveLabel="Create invitation"
      pendingLabel="Creating..."
      error={errors.root?.message}
      onSubmit={handleSubmit((values) => mutate(values.email ? { email: values.email } : {}))}
      onClose={onClose}
    >
      <Field
        label="Email (optional)"
        type="email"
        autoComplete="off"
        hint="We send the link to this address if this site sends emails."
        error={errors.email && messages.enterValidEmail}
        {...register("email")}
      />
    </InlineForm>
  );
}

const DELETE_TEXTS = {
  label: "Delete",
  name: (name: string) => `Delete ${name}`,
  pending: "Deleting...",
  question: (name: string) => `Delete the invitation "${name}"?`,
};

interface InvitationItemProps {
  invitation: Invitation;
  onDeleted: () => void;
}

function InvitationItem({ invitation, onDeleted }: InvitationItemProps) {
  const { email: sentTo, createdAt, expiresAt } = invitation;
  const { mutate, isPending } = useDeleteInvitation(invitation, onDeleted);
  return (
    <RevocableItem
      name={sentTo ?? "A link"}
      consequence="Its link stops working."
      texts={DELETE_TEXTS}
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <p className="mt-1 text-sm text-muted">{`Created ${formatDay(createdAt)}, expires ${formatDay(expiresAt)}`}</p>
    </RevocableItem>
  );
}
