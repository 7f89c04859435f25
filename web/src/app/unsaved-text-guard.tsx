import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type BlockerFunction, useBlocker } from "react-router-dom";
import { ConfirmDialog } from "../components/ui/dialog.tsx";
import { holdPage } from "../lib/hold-page.ts";
import { type UnsavedForm, type UnsavedForms, UnsavedFormsContext } from "../lib/unsaved-text.ts";

interface Asked {
  questions: readonly UnsavedForm["texts"][];
  proceed: () => unknown;
  stay?: () => void;
}

const unsavedOf = (forms: ReadonlySet<UnsavedForm>) => [...forms].filter(({ isSaving }) => !isSaving);
const lostWithPage = (forms: ReadonlySet<UnsavedForm>) => unsavedOf(forms).filter(({ staysOnPages }) => !staysOnPages);

export function UnsavedTextGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Set<UnsavedForm>());
  const isAgreed = useRef(false);
  const [asked, setAsked] = useState<Asked>();

  const ask = useCallback((concerned: readonly UnsavedForm[], proceed: () => unknown, stay?: () => void) => {
    const questions = [...new Set(concerned.map(({ texts }) => texts))];
    if (questions.length === 0) proceed();
    else setAsked({ questions, proceed, ...(stay && { stay }) });
  }, []);

  const unsavedForms = useMemo<UnsavedForms>(
    () => ({
      add(form) {
        forms.add(form);
        const release = holdPage(() => !isAgreed.current && !form.isSaving);
        return () => {
          forms.delete(form);
          release();
        };
      },
      has: () => forms.size > 0,
      discard(proceed, isConcerned = () => true) {
        ask(unsavedOf(forms).filter(isConcerned), async () => {
          isAgreed.current = true;
          try {
            await proceed();
          } finally {
            isAgreed.current = false;
          }
        });
      },
    }),
    [forms, ask],
  );

  // A page changes its own view by replacing the entry.
  const shouldBlock = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation, historyAction }) => {
      const isSamePage = currentLocation.pathname === nextLocation.pathname;
      const isSameView = historyAction === "REPLACE" || currentLocation.search === nextLocation.search;
      return lostWithPage(forms).length > 0 && !isAgreed.current && !(isSamePage && isSameView);
    },
    [forms],
  );
  const blocker = useBlocker(shouldBlock);
  useEffect(() => {
    if (blocker.state === "blocked") ask(lostWithPage(forms), blocker.proceed, blocker.reset);
  }, [blocker, forms, ask]);

  function confirm() {
    const [, ...others] = asked?.questions ?? [];
    if (asked && others.length > 0) return setAsked({ ...asked, questions: others });
    // A closed dialog has returned the focus, which may move on.
    flushSync(() => setAsked(undefined));
    asked?.proceed();
  }

  const first = asked?.questions[0];
  return (
    <UnsavedFormsContext value={unsavedForms}>
      {children}
      {first && (
        <ConfirmDialog
          question={first.question}
          confirmLabel={first.confirm}
          pending={false}
          onConfirm={confirm}
          onClose={() => {
            setAsked(undefined);
            asked?.stay?.();
          }}
        />
      )}
    </UnsavedFormsContext>
  );
}
