import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";

interface NewKeyProps {
  text: string;
  onDone: () => void;
}

/** A key right after its creation, the only time that it is shown. */
export function NewKey({ text, onDone }: NewKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="rounded-2xl bg-notice p-4 text-notice-ink">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {messages.copyKeyNow}
      </h3>
      <p className="mt-1 text-md leading-6 text-pretty">{messages.copyKeyNowText}</p>
      <div className="my-4 flex items-center gap-1 rounded-xl border border-line-strong bg-surface py-1 pr-1 pl-4 text-ink">
        <code className="min-w-0 flex-1 py-2 text-code wrap-anywhere select-all">{text}</code>
        <CopyButton
          text={text}
          label={messages.copyKey}
          success={messages.keyCopied}
          failure={messages.failedToCopyKey}
        />
      </div>
      <div className="flex flex-col">
        <Button variant="outline" onClick={onDone}>
          {messages.keySaved}
        </Button>
      </div>
    </div>
  );
}
