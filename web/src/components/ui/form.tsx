import type { ComponentProps, SubmitEvent } from "react";

interface FormProps extends Omit<ComponentProps<"form">, "noValidate"> {
  pending: boolean;
}

/** A form without native validation. It ignores submissions while pending. */
export function Form({ pending, onSubmit, ...props }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!pending) onSubmit?.(event);
  }
  return <form noValidate onSubmit={submit} {...props} />;
}
