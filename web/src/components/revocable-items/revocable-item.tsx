import type { ReactNode } from "react";
import { ConfirmButton } from "../ui/dialog.tsx";

interface RevocableItemProps {
  name: string;
  /** Beside the name. */
  badge?: ReactNode;
  /** What stops working, for the confirmation. */
  consequence: string;
  /** By default 'Revoke' and so on. */
  texts?: {
    label: string;
    name: (name: string) => string;
    pending: string;
    question: (name: string) => string;
  };
  isPending: boolean;
  /** Call `close` to close the dialog after a failure. */
  onRevoke: (close: () => void) => void;
  /** Further buttons. They are below the text, and the button that revokes is the last of them. */
  actions?: ReactNode;
  /** Below the buttons. */
  details?: ReactNode;
  children: ReactNode;
}

const REVOKE_TEXTS = {
  label: "Revoke",
  name: (name: string) => `Revoke ${name}`,
  pending: "Revoking...",
  question: (name: string) => `Revoke "${name}"?`,
};

/** An item of a list, with a button that revokes it after confirmation. */
export function RevocableItem(props: RevocableItemProps) {
  const { name, badge, consequence, isPending, onRevoke, actions, details, children } = props;
  const { texts = REVOKE_TEXTS } = props;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className={`min-w-0 flex-1 ${actions ? "basis-full" : "basis-56"}`}>
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          {badge}
        </h3>
        {children}
      </div>
      <div className="flex flex-wrap gap-2">
        {actions}
        <ConfirmButton
          label={texts.label}
          name={texts.name(name)}
          pendingLabel={texts.pending}
          question={texts.question(name)}
          variant="outline"
          isPending={isPending}
          onConfirm={onRevoke}
        >
          <p className="mt-3 leading-6 text-pretty">{consequence}</p>
        </ConfirmButton>
      </div>
      <div className="flex basis-full flex-col gap-4 empty:hidden">{details}</div>
    </li>
  );
}
