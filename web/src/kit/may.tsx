import type { ReactNode } from "react";
import { Button, type ButtonProps } from "../components/ui/button.tsx";
import type { useOpenForm } from "../components/ui/form.tsx";
import type { CallName } from "../lib/http/call-api.ts";
import { useRefusal } from "./use-may.ts";

interface MayProps {
  call: CallName;
  /** What the call does, such as "add links", to say who can. Nothing is said without it. */
  what?: string;
  children: ReactNode;
}

export function May({ call, what = "", children }: MayProps) {
  const refusal = useRefusal(call, what);
  if (refusal === null) return children;
  return what && <p className="leading-6 text-pretty text-muted">{refusal}</p>;
}

interface FormButtonProps extends Pick<ButtonProps, "variant" | "aria-label"> {
  call: CallName;
  form: Pick<ReturnType<typeof useOpenForm>, "button">;
  children: string;
}

export function FormButton({ call, form, variant = "outline", ...props }: FormButtonProps) {
  return (
    <May call={call}>
      <Button variant={variant} {...props} {...form.button} />
    </May>
  );
}
