import { Link2 } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { RepairOffer } from "../../components/repair-offer.tsx";
import { Button, textLinkClass } from "../../components/ui/button.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { PageDrop } from "./page-drop.tsx";
import { useLinkField } from "./use-link-field.ts";

export const LINK_IN_PROGRESS = "Your last link is still being created. Please paste again when it is ready.";

interface LinkFieldProps {
  placeholder: string;
  /** For fields outside of the form that are submitted with it. */
  formId?: string;
  pending: boolean;
  /** Replaces the text of the field when it changes. */
  replacement?: string | undefined;
  /** Shows a focused button that submits the text. */
  hasButton?: boolean;
  /** Focuses the field when the page opens. */
  isFocusedFirst?: boolean;
  /** Why the last link could not be created. */
  error: string | undefined;
  onLink: (url: string) => void;
  /** Called when several links are pasted at once, and for any link while pending. */
  onLinks: (addresses: string[]) => void;
  onEdit: () => void;
}

const FIELD_NAME = "url";

/** The input for Amazon links, without a submit button. Also accepts links that are pasted or dropped on the page. */
export function LinkField(props: LinkFieldProps) {
  const { placeholder, formId, hasButton, isFocusedFirst = false, error, ...options } = props;
  const id = useId();
  const { pending } = options;
  const { ref, validationMessage, isWaitingForEnter, offered, takeRepair, ...field } = useLinkField(options);
  const { submit, insert, ...handlers } = field;
  useEffect(() => {
    if (isFocusedFirst) ref.current?.focus();
  }, [isFocusedFirst, ref]);
  const message = validationMessage ?? error;
  const hint = isWaitingForEnter ? "Press Enter when your link is complete." : "amzn.to and a.co links work too.";

  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit({ isConfirmed: offered !== "" });
      }}
    >
      <label htmlFor={id} className="mb-2 block text-sm font-medium">
        Amazon product or store link
      </label>
      <div className="relative">
        <Link2 aria-hidden className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-muted" />
        <input
          ref={ref}
          id={id}
          name={FIELD_NAME}
          type="text"
          inputMode="url"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          disabled={pending}
          aria-invalid={validationMessage !== undefined}
          aria-describedby={`${id}-note`}
          {...handlers}
          className="h-14 w-full rounded-2xl border border-line-strong bg-surface pr-4 pl-12 text-base shadow-card transition-colors placeholder:text-muted focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-sunken disabled:pr-12 disabled:text-muted aria-invalid:border-danger sm:h-16 sm:text-lg"
        />
        {pending && (
          <div className="absolute top-1/2 right-4 -translate-y-1/2">
            <Spinner label="Generating your link..." />
          </div>
        )}
      </div>
      <p className="mt-2 min-h-10 text-sm leading-5 sm:min-h-5">
        <span id={`${id}-note`} className={message ? "font-medium text-danger" : "text-muted"}>
          {message ?? hint}
        </span>{" "}
        {error && !validationMessage && (
          <button type="submit" className={`${textLinkClass} relative after:absolute after:-inset-2`}>
            Try again
          </button>
        )}
      </p>
      {offered !== "" && !pending && <RepairOffer pasted={offered} onTake={takeRepair} />}
      {hasButton && !pending && <CreateButton />}
      <PageDrop fieldName={FIELD_NAME} onText={insert} />
    </form>
  );
}

function CreateButton() {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div className="mt-3 flex flex-col">
      <Button ref={ref} type="submit">
        Create link
      </Button>
    </div>
  );
}
