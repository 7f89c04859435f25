import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type BlockerFunction, useBlocker } from "react-router-dom";
import { ConfirmDialog } from "../components/ui/dialog.tsx";
import { holdPage } from "../lib/hold-page.ts";
import { type UnsavedForm, type UnsavedForms, UnsavedFormsContext } from "../lib/unsaved-text.ts";

interface Asked {
  texts: UnsavedForm["texts"];
  proceed: () => unknown;
  stay?: () => void;
}

const isLostWithPage = ({ staysOnPages, isQuiet }: UnsavedForm) => !staysOnPages && !isQuiet;

export function UnsavedTextGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Set<UnsavedForm>());
  const isAgreed = useRef(false);
  const [asked, setAsked] = useState<Asked>();

  const unsavedForms = useMemo<UnsavedForms>(
    () => ({
      add(form) {
        forms.add(form);
        const release = holdPage(() => !form.isQuiet && !isAgreed.current);
        return () => {
          forms.delete(form);
          release();
        };
      },
      has: () => forms.size > 0,
      discard(proceed, isConcerned = () => true) {
        const agreed = async () => {
          isAgreed.current = true;
          try {
            await proceed();
          } finally {
            isAgreed.current = false;
          }
        };
        const form = [...forms].find((each) => !each.isQuiet && isConcerned(each));
        if (form) setAsked({ texts: form.texts, proceed: agreed });
        else void agreed();
      },
    }),
    [forms],
  );

  // A page changes its own view by replacing the entry.
  const shouldBlock = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation, historyAction }) => {
      const isSamePage = currentLocation.pathname === nextLocation.pathname;
      const isSameView = historyAction === "REPLACE" || currentLocation.search === nextLocation.search;
      return [...forms].some(isLostWithPage) && !isAgreed.current && !(isSamePage && isSameView);
    },
    [forms],
  );
  const blocker = useBlocker(shouldBlock);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const form = [...forms].find(isLostWithPage);
    if (form) setAsked({ texts: form.texts, proceed: blocker.proceed, stay: blocker.reset });
    else blocker.proceed();
  }, [blocker, forms]);

  return (
    <UnsavedFormsContext value={unsavedForms}>
      {children}
      {asked && (
        <ConfirmDialog
          question={asked.texts.question}
          confirmLabel={asked.texts.confirm}
          pending={false}
          onConfirm={() => {
            // A closed dialog has returned the focus, which may move on.
            flushSync(() => setAsked(undefined));
            asked.proceed();
          }}
          onClose={() => {
            setAsked(undefined);
            asked.stay?.();
          }}
        />
      )}
    </UnsavedFormsContext>
  );
}
