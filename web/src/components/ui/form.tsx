import type { ComponentProps, SubmitEvent } from "react";

interface FormProps extends Omit<ComponentProps<"form">, "noValidate"> {
  pending: boolean;
}

/** A form whose rules are ours; while it is pending it takes no second submission. */
export function Form({ pending, onSubmit, ...props }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!pending) onSubmit?.(event);
  }
  return <form noValidate onSubmit={submit} {...props} />;
}
