import { zodResolver } from "@hookform/resolvers/zod";
import type { ErrorCode } from "@tapthru/proto/errors";
import { PASSWORD_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { type ComponentProps, type ReactNode, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormProps,
  useController,
  useForm,
  useFormContext,
} from "react-hook-form";
import type * as z from "zod/mini";
import { Checkbox, CheckboxList, RadioList } from "../components/ui/choice-list.tsx";
import { Field } from "../components/ui/field.tsx";
import { FormError } from "../components/ui/form.tsx";
import { PasswordField } from "../components/ui/password-field.tsx";
import { SelectField } from "../components/ui/select-field.tsx";
import { watchFocus } from "../lib/focus.ts";
import type { CallName, InputOf, ReplyTo } from "../lib/http/call-api.ts";
import type { HttpError } from "../lib/http/http-client.ts";
import { FieldsForm, type FieldsFormProps } from "./fields-form.tsx";
import { type CallTexts, useCall } from "./use-call.ts";

interface CallFormOptions<Name extends CallName, Values extends FieldValues, Output> extends CallTexts<Name> {
  form: UseFormProps<Values, unknown, Output>;
  /** Returns null if nothing has changed: no call is sent. */
  input: (values: Output) => InputOf<Name> | null;
  /** The fields at which refusals are shown. By default at the field of a form that has one, else at the form's root, below all fields. */
  errorAt?: Partial<Record<ErrorCode, Path<Values>>> | undefined;
  onDone?: ((reply: ReplyTo<Name> | undefined) => void) | undefined;
}

export function useCallForm<Name extends CallName, Values extends FieldValues, Output = Values>(
  name: Name,
  options: CallFormOptions<Name, Values, Output>,
) {
  const { input, errorAt, onDone } = options;
  const form = useForm<Values, unknown, Output>(options.form);
  const { call, isPending } = useCall(name, options);

  function showError(message: string, refusal: HttpError | null, shouldFocus: boolean) {
    const [only, ...others] = Object.keys(form.getValues()) as Path<Values>[];
    const field = refusal?.code && (errorAt ? errorAt[refusal.code] : others.length === 0 && only);
    form.setError(field || "root", { message }, { shouldFocus: Boolean(field) && shouldFocus });
  }

  const submit = form.handleSubmit((output) => {
    const wanted = input(output);
    if (wanted === null) return onDone?.(undefined);
    const isUnmoved = watchFocus();
    call(wanted, { onDone, onFailed: (message, refusal) => showError(message, refusal, isUnmoved()) });
  });
  return { form, isPending, submit };
}

interface CallFormProps<Name extends CallName, Values extends FieldValues, Output>
  extends Omit<CallFormOptions<Name, Values, Output>, "form" | "onDone">,
    Pick<FieldsFormProps<Values, Output>, "save" | "isDangerous" | "onClose" | "children"> {
  call: Name;
  rules: z.ZodMiniType<Output, Values>;
  values: DefaultValues<Values>;
  /** Called before the form closes. */
  onDone?: (reply: ReplyTo<Name>) => void;
  /** Replaces the form after the call, unless it is null: a secret that is shown once. */
  shown?: (reply: ReplyTo<Name>, onClose: () => void) => ReactNode;
}

/** A form within a card that sends a call. An error is shown at its field, or in a toast if the form is gone. */
export function CallForm<Name extends CallName, Values extends FieldValues, Output>(
  props: CallFormProps<Name, Values, Output>,
) {
  const { call: name, rules, values, onDone, onClose = () => {}, shown } = props;
  const [reply, setReply] = useState<ReplyTo<Name>>();
  const { form, isPending, submit } = useCallForm<Name, Values, Output>(name, {
    ...props,
    isAsked: props.isDangerous,
    form: { resolver: zodResolver(rules), defaultValues: values },
    onDone(created) {
      if (created !== undefined) onDone?.(created);
      if (created !== undefined && shown?.(created, onClose)) setReply(created);
      else onClose();
    },
  });
  if (shown && reply !== undefined) return shown(reply, onClose);

  return <FieldsForm {...props} form={form} isPending={isPending} showsOnce={shown !== undefined} onSubmit={submit} />;
}

export function TextField({ name, ...field }: Omit<ComponentProps<typeof Field>, "name"> & { name: string }) {
  const { register, getFieldState, formState } = useFormContext();
  const { error } = getFieldState(name, formState);
  const Input = field.type === "password" ? PasswordField : Field;
  return <Input autoComplete="off" {...field} error={error?.message} {...register(name)} />;
}

export function NewPasswordFields({ label }: { label: string }) {
  return (
    <>
      <TextField
        name="password"
        type="password"
        label={label}
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
      />
      <TextField
        name="confirmPassword"
        type="password"
        label={`Confirm ${label.toLowerCase()}`}
        autoComplete="new-password"
      />
    </>
  );
}

type CheckboxesFieldProps = Pick<ComponentProps<typeof CheckboxList>, "legend" | "choices"> & { name: string };

export function CheckboxesField({ name, ...list }: CheckboxesFieldProps) {
  const { field, fieldState } = useController({ name });
  const { value, onChange, ref } = field;
  return <CheckboxList values={value} onChange={onChange} inputRef={ref} error={fieldState.error?.message} {...list} />;
}

type RadioFieldProps = Pick<ComponentProps<typeof RadioList>, "legend" | "choices"> & { name: string };

export function RadioField({ name, ...list }: RadioFieldProps) {
  const { field, fieldState } = useController({ name });
  const { value, onChange, ref } = field;
  return <RadioList value={value} onChange={onChange} inputRef={ref} error={fieldState.error?.message} {...list} />;
}

export function CheckboxField({ name, label }: { name: string; label: string }) {
  const { field } = useController({ name });
  return <Checkbox name={label} checked={field.value} onChange={field.onChange} />;
}

type ChoiceFieldProps = Pick<ComponentProps<typeof SelectField>, "label" | "options"> & { name: string };

export function ChoiceField({ name, ...select }: ChoiceFieldProps) {
  const { field, fieldState } = useController({ name });
  const choose = (text: string) => field.onChange(typeof field.value === "number" ? Number(text) : text);
  return (
    <div>
      <SelectField value={String(field.value)} onChange={choose} {...select} />
      <FormError>{fieldState.error?.message}</FormError>
    </div>
  );
}
