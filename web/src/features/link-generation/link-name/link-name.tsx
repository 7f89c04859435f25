import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import type { useLinkName } from "./use-link-name.ts";

interface LinkNameProps {
  name: ReturnType<typeof useLinkName>;
  /** The form of the link field, which the name is submitted with. */
  formId: string;
  pending: boolean;
  /** Whether to show a button that submits the form. */
  hasButton: boolean;
}

/** A button that opens a field for the short link name of a new link. */
export function LinkName({ name, formId, pending, hasButton }: LinkNameProps) {
  const { isOpen, text, error, input, toggle, change } = name;
  return (
    <div className="mt-2">
      <div className="flush-text">
        <Button variant="quiet" aria-expanded={isOpen} disabled={pending} onClick={toggle}>
          {isOpen ? messages.useRandomShortLinkName : messages.chooseShortLinkName}
        </Button>
      </div>
      {isOpen && (
        <div className="mt-2 motion-safe:animate-appear">
          <Field
            ref={input}
            form={formId}
            label={messages.shortLinkName}
            hint={messages.newShortLinkNameHint}
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
                {messages.createLink}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}
