import type { ReactNode } from "react";
import { Button } from "../components/ui/button.tsx";
import { ConfirmButton } from "../components/ui/dialog.tsx";
import type { CallName, InputOf, ReplyTo } from "../lib/http/call-api.ts";
import { useAccessibleName } from "../lib/item-name.ts";
import { usePermission } from "./can.tsx";
import { type CallTexts, useCall } from "./use-call.ts";

interface ActionProps<Name extends CallName> extends CallTexts<Name> {
  call: Name;
  input: InputOf<Name>;
  label: string;
  /** The name of the object, for the accessible name of the button. By default that of the item of a list. */
  of?: string;
  question?: string;
  children?: ReactNode;
  variant?: "primary" | "outline" | "quiet" | "remove" | "danger";
  /** The button below the question is red, unless the action loses nothing. */
  confirmVariant?: "danger" | "primary";
  onDone?: (reply: ReplyTo<Name> | undefined) => void;
}

/** A button that sends a call, after a question if there is one. Nothing for users whose role does not allow it. */
export function Action<Name extends CallName>(props: ActionProps<Name>) {
  const { call: name, input, label, of, question, variant = "outline", onDone } = props;
  const { call, isPending } = useCall(name, { ...props, isAsked: question !== undefined });
  const may = usePermission(name);
  const accessibleName = useAccessibleName(label, of);
  if (!may) return null;
  if (question === undefined) {
    return (
      <Button
        variant={variant}
        aria-label={accessibleName}
        aria-busy={isPending}
        onClick={() => call(input, { onDone })}
      >
        {label}
      </Button>
    );
  }
  return (
    <ConfirmButton
      label={label}
      {...(accessibleName && { name: accessibleName })}
      question={question}
      variant={variant}
      {...(props.confirmVariant && { confirmVariant: props.confirmVariant })}
      isPending={isPending}
      onConfirm={(close) => call(input, { onSettled: close, onDone })}
    >
      {props.children !== undefined && <div className="mt-3 leading-6 text-pretty">{props.children}</div>}
    </ConfirmButton>
  );
}
