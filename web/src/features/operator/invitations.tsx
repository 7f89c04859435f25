import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { email } from "@tapthru/proto/http/fields";
import { INVITATIONS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
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
      title={messages.invitations}
      text={messages.invitationsText}
      texts={{
        add: messages.newInvitation,
        empty: messages.noInvitations,
        failed: messages.invitationsNotLoaded,
        tooMany: messages.tooManyInvitations,
      }}
      maxCount={INVITATIONS_MAX_COUNT}
      query={useQuery(invitationsOptions)}
      item={(invitation, onDeleted) => (
        <InvitationItem invitation={invitation} onDeleted={onDeleted} />
      )}
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
          title: messages.copyInvitationNow,
          text: isSentTo ? messages.invitationSent(isSentTo) : messages.invitationCreated,
          copy: messages.copyInvitation,
          copied: messages.invitationCopied,
          failedToCopy: messages.failedToCopyByHand,
          saved: messages.invitationSaved,
        }}
        onDone={onClose}
      />
    );
  }
  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.createInvitation}
      pendingLabel={messages.creatingInvitation}
      error={errors.root?.message}
      onSubmit={handleSubmit((values) => mutate(values.email ? { email: values.email } : {}))}
      onClose={onClose}
    >
      <Field
        label={messages.invitationEmail}
        type="email"
        autoComplete="off"
        hint={messages.invitationEmailHint}
        error={errors.email && messages.enterValidEmail}
        {...register("email")}
      />
    </InlineForm>
  );
}

const DELETE_TEXTS = {
  label: messages.deleteInvitation,
  name: messages.deleteInvitationOf,
  pending: messages.deletingInvitation,
  question: messages.confirmDeleteInvitation,
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
      name={sentTo ?? messages.invitationWithoutEmail}
      consequence={messages.deleteInvitationConsequence}
      texts={DELETE_TEXTS}
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <p className="mt-1 text-sm text-muted">
        {messages.invitationUntil(formatDay(createdAt), formatDay(expiresAt))}
      </p>
    </RevocableItem>
  );
}
