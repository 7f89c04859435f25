interface FormErrorProps {
  /** For the aria-describedby of the fields that it concerns. */
  id?: string;
  children: string | undefined;
}

/** Says why a form could not be submitted. Nothing without a text. */
export function FormError({ id, children }: FormErrorProps) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="text-sm leading-5 font-medium text-danger">
      {children}
    </p>
  );
}
