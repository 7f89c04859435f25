import { FAILED_TO_COPY_BY_HAND, useCopy } from "../../../components/copy-button.tsx";
import { ShownOnce } from "../../../components/shown-once.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { saveFile } from "../../../lib/save-file.ts";

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** New recovery codes, until the user says that they are saved. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join("\n");
  const { copy } = useCopy(FAILED_TO_COPY_BY_HAND, "Recovery codes copied to clipboard");
  return (
    <ShownOnce
      title="Recovery codes"
      text="Keep them in a safe place: without your phone, each of them logs you in once."
      saved="I have saved them"
      onDone={onClose}
    >
      <ul className="my-4 grid grid-cols-2 sm:grid-cols-3 gap-x-4 gap-y-1 rounded-xl border border-line-strong bg-surface p-4 text-ink">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-code wrap-anywhere">{code}</code>
          </li>
        ))}
      </ul>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => copy(text)}>
          Copy the codes
        </Button>
        <Button variant="outline" onClick={() => saveFile(new Blob([`${text}\n`]), "recovery-codes.txt")}>
          Download them
        </Button>
      </div>
    </ShownOnce>
  );
}
