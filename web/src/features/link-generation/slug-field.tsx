import { slug, slugOn } from "@tapthru/proto/fields";
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { lacksTag } from "./api.ts";
import { createNamedLink } from "./create-named-link.ts";
import { createLink, type RequestLink } from "./use-create-link.ts";

interface SlugFieldProps {
  name: ReturnType<typeof useSlugField>;
  /** The form of the link field, which the name is submitted with. */
  formId: string;
  pending: boolean;
  /** Whether to show a button that submits the form. */
  hasButton: boolean;
}

/** A button that opens a field for the short link name of a new link. */
export function SlugField({ name, formId, pending, hasButton }: SlugFieldProps) {
  const { isOpen, text, error, input, toggle, change } = name;
  return (
    <div className="mt-2">
      <Button variant="quiet" aria-expanded={isOpen} disabled={pending} onClick={toggle}>
        {isOpen ? "Use a random short link name" : "Choose a short link name"}
      </Button>
      {isOpen && (
        <div className="mt-2 motion-safe:animate-appear">
          <Field
            ref={input}
            form={formId}
            label="Short link name"
            hint={`${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters, digits, hyphens and underscores; on your own domains from 1. For one link.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            // Not disabled, which would lose the focus.
            readOnly={pending}
            error={error}
            value={text}
            onChange={({ target }) => change(target.value)}
          />
          {hasButton && (
            <div className="mt-3 flex flex-col">
              <Button type="submit" form={formId} disabled={pending}>
                Create link
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** The short link name that the user may choose for a new link. @param domain undefined: the site's own host */
export function useSlugField(domain: string | null | undefined) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const keyOf = useKeyOfAttempt();

  function showError(message: string) {
    setError(message);
    input.current?.focus();
  }

  const requestLink: RequestLink = async (url, idempotencyKey, options) => {
    if (!isOpen) return createLink(url, idempotencyKey, options);
    const channel = await options.channel?.();
    const named = { url, slug: z.parse(slug, text), domain: options.domain, ...channel };
    const link = await createNamedLink(named, keyOf(JSON.stringify(named), idempotencyKey));
    return { ...link, lacksChannelTag: lacksTag(link, channel) };
  };

  return {
    isOpen,
    text,
    error,
    input,
    requestLink,
    toggle() {
      flushSync(() => setOpen(!isOpen));
      setError(undefined);
      input.current?.focus();
    },
    change(edited: string) {
      setText(edited);
      setError(undefined);
    },
    /** Whether a link can be created with the name, or without. Otherwise shows why not. */
    isUsable(): boolean {
      if (!isOpen) return true;
      const parsed = z.safeParse(slugOn(domain ?? null), text);
      const message = text.trim() === "" ? "Please enter a name for the short link" : parsed.error?.issues[0]?.message;
      setError(message);
      return parsed.success;
    },
    /** Shows at the field that several links do not get the name. */
    showUnused() {
      if (isOpen && text.trim() !== "") setError("A name is for one link. The links below have names of their own.");
    },
    /** Shows at the field that the api refused the name. @returns false for another error */
    showRefusal(cause: Error): boolean {
      const refusal = httpErrorOf(cause);
      const isRefused = refusal?.code === "slug-taken" || refusal?.code === "invalid-body";
      if (isOpen && isRefused) showError(refusal.text);
      return isOpen && isRefused;
    },
  };
}

/**
 * The user's next attempt with the same link and name has the key of the first one: after a lost reply the name is taken
 * by the user's own link.
 */
function useKeyOfAttempt() {
  const attempt = useRef({ request: "", key: "" });
  return (request: string, newKey: string): string => {
    if (attempt.current.request !== request) attempt.current = { request, key: newKey };
    return attempt.current.key;
  };
}
