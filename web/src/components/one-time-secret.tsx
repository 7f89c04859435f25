import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { focusIfLost, useFocusWhenShown } from "../lib/focus.ts";
import { useUnsavedText } from "../lib/unsaved-text.ts";
import { CopyButton, FAILED_TO_COPY_BY_HAND } from "./copy-button.tsx";
import { Button } from "./ui/button.tsx";

interface OneTimeCardProps {
  title: string;
  text: string;
  saved: string;
  onDone: () => void;
  children: ReactNode;
}

const QUESTION = {
  question: "Have you saved this? It is not shown again.",
  confirm: "I have saved it",
};

/** A secret right after its creation, the only time that it is shown. Nothing else closes it without a question. */
export function OneTimeCard({ title, text, saved, onDone, children }: OneTimeCardProps) {
  const heading = useFocusWhenShown<HTMLHeadingElement>();
  useUnsavedText(true, { texts: QUESTION, onClose: onDone });

  /** Gives the focus to the control that opened it, else to what it was in. */
  function close() {
    const place = heading.current?.parentElement?.closest<HTMLElement>("[tabindex]");
    flushSync(onDone);
    focusIfLost(place, true);
  }

  return (
    <div className="rounded-2xl bg-notice p-4 text-notice-ink">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
      </h3>
      <p className="mt-1 text-md leading-6 text-pretty">{text}</p>
      {children}
      <div className="flex flex-col">
        <Button variant="outline" onClick={close}>
          {saved}
        </Button>
      </div>
    </div>
  );
}

interface OneTimeSecretProps {
  secret: string;
  title: string;
  text: string;
  copy: string;
  saved: string;
  onDone: () => void;
}

export function OneTimeSecret({ secret, copy, ...shown }: OneTimeSecretProps) {
  return (
    <OneTimeCard {...shown}>
      <div className="my-4 flex flex-wrap items-center gap-1 rounded-xl border border-line-strong bg-surface py-1 pr-1 pl-4 text-ink">
        <code className="min-w-0 flex-1 basis-32 py-2 text-sm wrap-anywhere select-all">{secret}</code>
        <CopyButton text={secret} label={copy} failure={FAILED_TO_COPY_BY_HAND} />
      </div>
    </OneTimeCard>
  );
}
