import { useEffect, useRef } from "react";
import { CopyButton } from "../copy-button.tsx";
import { Button } from "../ui/button.tsx";

interface NewSecretProps {
  secret: string;
  texts: {
    title: string;
    text: string;
    copy: string;
    copied: string;
    failedToCopy: string;
    saved: string;
  };
  onDone: () => void;
}

/** A secret right after its creation, the only time that it is shown. */
export function NewSecret({ secret, texts, onDone }: NewSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="rounded-2xl bg-notice p-4 text-notice-ink">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {texts.title}
      </h3>
      <p className="mt-1 text-md leading-6 text-pretty">{texts.text}</p>
      <div className="my-4 flex flex-wrap items-center gap-1 rounded-xl border border-line-strong bg-surface py-1 pr-1 pl-4 text-ink">
        <code className="min-w-0 flex-1 basis-32 py-2 text-code wrap-anywhere select-all">
          {secret}
        </code>
        <CopyButton
          text={secret}
          label={texts.copy}
          success={texts.copied}
          failure={texts.failedToCopy}
        />
      </div>
      <div className="flex flex-col">
        <Button variant="outline" onClick={onDone}>
          {texts.saved}
        </Button>
      </div>
    </div>
  );
}
