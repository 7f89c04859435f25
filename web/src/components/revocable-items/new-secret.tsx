import { CopyButton } from "../copy-button.tsx";
import { ShownOnce } from "./shown-once.tsx";

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

export function NewSecret({ secret, texts, onDone }: NewSecretProps) {
  return (
    <ShownOnce title={texts.title} text={texts.text} saved={texts.saved} onDone={onDone}>
      <div className="my-4 flex flex-wrap items-center gap-1 rounded-xl border border-line-strong bg-surface py-1 pr-1 pl-4 text-ink">
        <code className="min-w-0 flex-1 basis-32 py-2 text-code wrap-anywhere select-all">{secret}</code>
        <CopyButton text={secret} label={texts.copy} success={texts.copied} failure={texts.failedToCopy} />
      </div>
    </ShownOnce>
  );
}
