import { zodResolver } from "@hookform/resolvers/zod";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { PasswordForm as Rules } from "@tapthru/proto/fields";
import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { Form, FormError, SubmitButton } from "../../../components/ui/form.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { NewPasswordFields } from "../../../kit/call-form.tsx";
import { useIsMounted } from "../../../kit/use-call.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { NetworkError } from "../../../lib/http/http-client.ts";
import { RevokeKeys } from "../../api-keys/index.ts";
import { useSessionControl } from "../session-context.tsx";
import { PASSWORD_REPLY_LOST, profileError } from "../session-errors.ts";
import { wasSignedIn } from "../sign-in-memory.ts";

interface ResetPasswordFormProps {
  token: string;
  onDone: () => void;
}

const keysOfResetOptions = (token: string) =>
  queryOptions({
    queryKey: ["/api/auth/password-reset/keys", token],
    queryFn: () => callApi("POST /api/auth/password-reset/keys", { body: { token }, renewsSession: false }),
  });

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const toast = useToast();
  const { find, get, leave } = useSessionControl();
  const isMounted = useIsMounted();
  const form = useForm<Rules>({
    resolver: zodResolver(Rules),
    defaultValues: { password: "", confirmPassword: "" },
  });
  const { errors, isSubmitting } = form.formState;
  const { data } = useQuery(keysOfResetOptions(token));
  const [revokesKeys, setRevokesKeys] = useState(false);

  async function submit({ password }: Rules) {
    try {
      await callApi("PUT /api/auth/password-reset", {
        body: { token, password, revokesKeys },
        renewsSession: false,
      });
    } catch (error) {
      const failed = "Failed to change your password. Please try again.";
      const [field, message] = profileError(error, error instanceof NetworkError ? PASSWORD_REPLY_LOST : failed);
      form.setError(field === "password" ? field : "root", { message }, { shouldFocus: true });
      return;
    }
    if (wasSignedIn()) await find();
    if (get().hasEnded) leave();
    toast({
      title: "Success",
      description: "Your password has been changed. You can log in with it now.",
    });
    if (isMounted.current) onDone();
  }

  return (
    <FormProvider {...form}>
      <Form pending={isSubmitting} onSubmit={form.handleSubmit(submit)} className="grid gap-5">
        <NewPasswordFields label="New password" />
        <RevokeKeys names={data?.names ?? []} checked={revokesKeys} onChange={setRevokesKeys} />
        <FormError>{errors.root?.message}</FormError>
        <SubmitButton pending={isSubmitting}>Save password</SubmitButton>
      </Form>
    </FormProvider>
  );
}
