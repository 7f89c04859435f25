import { Link2 } from "lucide-react";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useId, useRef } from "react";
import { Button, textLinkClass } from "../../../components/ui/button.tsx";
import { Spinner } from "../../../components/ui/spinner.tsx";
import type { RepairOfferProps } from "../repair-offer.tsx";
import { containsLink } from "./read-link.ts";
import { useLinkField } from "./use-link-field.ts";

// Not in the first script.
const RepairOffer = lazy<ComponentType<RepairOfferProps>>(() =>
  import("../repair-offer.tsx").catch(() => ({ default: () => null })),
);

interface LinkFieldProps {
  placeholder: string;
  pending: boolean;
  /** True if the field is for the next address as soon as one is submitted. It is smaller then. */
  isEmptied?: boolean;
  /** Replaces the text of the field when it changes, and waits for a button, which has the focus. */
  prefilled?: string | undefined;
  hasButton?: boolean;
  isFocusedFirst?: boolean | undefined;
  error: string | undefined;
  onLink: (url: string) => void;
  /** Called when several links are pasted at once, and for any link while pending. */
  onLinks: (addresses: string[]) => void;
  onEdit: () => void;
  notice?: string | undefined;
  /** An address to try the field with, and the text of its button. */
  sample?: readonly [url: string, text: string] | undefined;
  children?: ReactNode;
}

const FIELD_NAME = "url";

export const hasTypedLink = () =>
  [...document.getElementsByName(FIELD_NAME)].some((field) => field instanceof HTMLInputElement && field.value !== "");

/** The input for Amazon links, without a submit button. Also accepts links that are pasted on the page. */
export function LinkField(props: LinkFieldProps) {
  const { placeholder, isEmptied = false, hasButton = false, isFocusedFirst = false, error, children } = props;
  const { pending, prefilled, notice, sample } = props;
  const id = useId();
  const { ref, validationMessage, isWaitingForEnter, offered, takeRepair, ...field } = useLinkField(props);
  const { submit, insert, ...handlers } = field;
  useEffect(() => {
    if (isFocusedFirst) ref.current?.focus();
  }, [isFocusedFirst, ref]);
  const message = validationMessage ?? error;
  const usualHint = isEmptied ? "" : "amzn.to and a.co links work too.";
  const hint = isWaitingForEnter ? "Press Enter when your link is complete." : usualHint;
  const textButtonClass = `${textLinkClass} relative after:absolute after:-inset-2`;

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit({ isConfirmed: offered !== "" });
      }}
    >
      <label htmlFor={id} className={isEmptied ? "sr-only" : "mb-2 block text-sm font-medium"}>
        Amazon product or store link
      </label>
      <div className="relative">
        <Link2 aria-hidden className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-muted" />
        <input
          ref={ref}
          id={id}
          name={FIELD_NAME}
          // Until this script has loaded, index.html puts what is pasted on the page into it.
          data-early=""
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
          className={`h-14 w-full rounded-2xl border border-line-strong bg-surface pr-4 pl-12 shadow-card transition-colors placeholder:text-muted focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-sunken disabled:pr-12 disabled:text-muted aria-invalid:border-danger ${isEmptied ? "" : "sm:h-16 md:text-lg"}`}
        />
        {pending && (
          <div className="absolute top-1/2 right-4 -translate-y-1/2">
            <Spinner label="Generating your link..." />
          </div>
        )}
      </div>
      <p className={`mt-2 text-sm leading-5 ${isEmptied ? "" : "min-h-10 sm:min-h-5"}`}>
        <span id={`${id}-note`} className={message ? "font-medium text-danger" : "text-muted"}>
          {message ?? notice ?? hint}
        </span>{" "}
        {error && !validationMessage && (
          <button type="submit" className={textButtonClass}>
            Try again
          </button>
        )}
        {sample && !message && (
          <button type="button" disabled={pending} onClick={() => insert(sample[0])} className={textButtonClass}>
            {sample[1]}
          </button>
        )}
      </p>
      {children}
      {offered !== "" && !pending && (
        <Suspense>
          <RepairOffer pasted={offered} onTake={takeRepair}>
            {containsLink(offered) && (
              <Button type="submit" variant="quiet">
                Use as pasted
              </Button>
            )}
          </RepairOffer>
        </Suspense>
      )}
      {(hasButton || prefilled !== undefined) && !pending && <CreateButton isFocusedFirst={prefilled !== undefined} />}
    </form>
  );
}

function CreateButton({ isFocusedFirst }: { isFocusedFirst: boolean }) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocusedFirst) ref.current?.focus();
  }, [isFocusedFirst]);
  return (
    <div className="mt-3 flex flex-col">
      {/* The second click of a double click would find the field empty. */}
      <Button ref={ref} type="submit" onClick={(event) => event.detail > 1 && event.preventDefault()}>
        Create link
      </Button>
    </div>
  );
}
