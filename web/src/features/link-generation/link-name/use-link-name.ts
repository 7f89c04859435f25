import { slug } from "@tapthru/proto/http/fields";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef, useState } from "react";
import * as z from "zod/mini";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { createNamedLink } from "../api/create-named-link.ts";
import { createLink } from "../create-link.ts";
import type { RequestLink } from "../use-create-link.ts";

/** The short link name that the user may choose for a new link. */
export function useLinkName() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const keyOf = useKeyOfAttempt();

  function showError(message: string) {
    setError(message);
    input.current?.focus();
  }

  const requestLink: RequestLink = (url, idempotencyKey) => {
    if (!isOpen) return createLink(url, idempotencyKey);
    const named = { url, slug: z.parse(slug, text) };
    return createNamedLink(named, keyOf(JSON.stringify(named), idempotencyKey));
  };

  return {
    isOpen,
    text,
    error,
    input,
    requestLink,
    toggle() {
      setOpen(!isOpen);
      setError(undefined);
    },
    change(edited: string) {
      setText(edited);
      setError(undefined);
    },
    /** Whether a link can be created with the name, or without. Otherwise shows why not. */
    isUsable(): boolean {
      if (!isOpen) return true;
      const parsed = z.safeParse(slug, text);
      const message =
        text.trim() === "" ? messages.enterShortLinkName : parsed.error?.issues[0]?.message;
      setError(message);
      return parsed.success;
    },
    /** Shows at the field that several links do not get the name. */
    showUnused() {
      if (isOpen && text.trim() !== "") setError(messages.nameForOneLink);
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
