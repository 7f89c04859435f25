import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";
import { CheckboxList, RadioList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm } from "../../components/ui/form.tsx";
import { dayOf } from "../../lib/dates.ts";
import { useCreateKey } from "./api.ts";
import { EXPIRY_CHOICES, KeyFields, NO_FIELDS, newKeyOf, scopeChoices } from "./key-fields.ts";

interface KeyFormProps {
  isOperator: boolean;
  onClose: () => void;
}

/** Creates a key and shows it once. */
export function KeyForm({ isOperator, onClose }: KeyFormProps) {
  const [created, setCreated] = useState<string>();
  if (created !== undefined) return <NewKey text={created} onDone={onClose} />;
  return <Fields isOperator={isOperator} onCreated={setCreated} onClose={onClose} />;
}

interface FieldsProps extends KeyFormProps {
  onCreated: (key: string) => void;
}

function Fields({ isOperator, onCreated, onClose }: FieldsProps) {
  const { register, control, handleSubmit, setError, formState } = useForm<KeyFields>({
    resolver: zodResolver(KeyFields),
    defaultValues: NO_FIELDS,
  });
  const { errors } = formState;
  // Invalid fields get the focus in the order in which they are registered.
  const name = register("name");
  const { field: scopes } = useController({ control, name: "scopes" });
  const { field: expiry } = useController({ control, name: "expiry" });
  const { mutate, isPending } = useCreateKey({
    onCreated,
    onFailed: (message) => setError("root", { message }),
  });

  return (
    <InlineForm
      pending={isPending}
      saveLabel="Create API key"
      pendingLabel="Creating..."
      error={errors.root?.message}
      onSubmit={handleSubmit((fields) => mutate(newKeyOf(fields)))}
      onClose={onClose}
    >
      <Field
        label="Name of the key"
        hint="For example the script that will use it."
        autoComplete="off"
        error={errors.name?.message}
        {...name}
      />
      <CheckboxList
        legend="What the key may do"
        choices={scopeChoices(isOperator)}
        values={scopes.value}
        onChange={scopes.onChange}
        error={errors.scopes?.message}
        inputRef={scopes.ref}
      />
      <RadioList legend="Expiry" choices={EXPIRY_CHOICES} value={expiry.value} onChange={expiry.onChange} />
      {expiry.value === "day" && (
        <Field
          label="Last day on which the key works"
          type="date"
          min={dayOf(new Date())}
          // Keeps the year to four digits.
          max="9998-12-31"
          error={errors.day?.message}
          {...register("day")}
        />
      )}
    </InlineForm>
  );
}

const TEXTS = {
  title: "Copy your new API key now",
  text: "It is not shown again. Keep it secret: everyone who has it can do with your links what you allowed.",
  copy: "Copy API key",
  copied: "The API key was copied.",
  failedToCopy: "Failed to copy the key. Please select and copy it yourself.",
  saved: "I have saved the key",
};

function NewKey({ text, onDone }: { text: string; onDone: () => void }) {
  return <NewSecret secret={text} texts={TEXTS} onDone={onDone} />;
}
