import { paths } from "@tapthru/proto/rules/paths";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import * as z from "zod/mini";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { TabLinks } from "../../components/ui/tab-links.tsx";
import { May } from "../../kit/may.tsx";
import { useFocusAfterChange } from "../../lib/focus.ts";
import type { CallName } from "../../lib/http/call-api.ts";
import { useUrlState } from "../../lib/use-url-state.ts";

interface AnyImport {
  id: string;
  state: string;
}

interface ImportsProps<Import extends AnyImport> {
  call: CallName;
  /** Newest first. */
  imports: readonly Import[] | undefined;
  query: ComponentProps<typeof NextPage>["list"] & { refetch: () => unknown };
  /** Whether it is shown although no import is chosen. */
  isOpen: (each: Import) => boolean;
  /** @param open what a new file replaces @param onSent shows the import with this id */
  form: (open: Import | undefined, onSent: (id: string) => void) => ReactNode;
  /** @param onNew shows the form @param onSent as that of `form` */
  view: (shown: Import, onNew: () => void, onSent: (id: string) => void) => ReactNode;
  /** One of the others in the list. @param onShow shows it instead of the form */
  item: (each: Import, onShow: () => void) => ReactNode;
}

/** The id of an import, or `new` for the form. */
const ImportsView = z.object({ id: z.catch(z.string(), "") });

export function Imports<Import extends AnyImport>(props: ImportsProps<Import>) {
  const { imports, query, isOpen, form, view, item } = props;
  const [{ id: chosenId }, change] = useUrlState(ImportsView);
  const choose = (id: string) => change({ id }, false);
  const open = imports?.find(isOpen);
  const shown = imports?.find(({ id }) => id === chosenId) ?? (chosenId === "" ? open : undefined);
  const earlier = imports?.filter(({ id }) => id !== shown?.id) ?? [];
  const content = useRef<HTMLDivElement>(null);
  useFocusAfterChange(imports && `${shown?.state}`, content);
  // Another one is shown from its beginning.
  useFocusAfterChange(imports && `${shown?.id}`, content, false);

  // It stays when it is no longer open.
  const openId = open?.id;
  useEffect(() => {
    if (chosenId === "" && openId !== undefined) change({ id: openId });
  }, [chosenId, openId, change]);

  return (
    <div className="flex flex-col gap-5">
      <ImportTabs />
      <Loaded data={imports} query={query} failed={FAILED}>
        {() => (
          <>
            <div ref={content} tabIndex={-1} className="flex flex-col gap-5 rounded-2xl focus-visible:outline-2">
              {shown ? (
                view(shown, () => choose("new"), choose)
              ) : (
                <May call={props.call} what="import files">
                  {form(open, choose)}
                </May>
              )}
            </div>
            {earlier.length > 0 && (
              <Card title="Earlier imports">
                <ul className="divide-y divide-line">{earlier.map((each) => item(each, () => choose(each.id)))}</ul>
                <NextPage list={query} failed={FAILED} />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

export function ImportTabs() {
  return (
    <TabLinks
      label="What to import"
      tabs={[
        { to: paths.import, name: "Links" },
        { to: paths.earningsImport, name: "Amazon's reports" },
      ]}
    />
  );
}

const FAILED = "Your imports could not be loaded.";

interface EarlierImportProps {
  name: string;
  details: readonly string[];
  children?: ReactNode;
  removal: ReactNode;
  onShow: () => void;
}

export function EarlierImport({ name, details, children, removal, onShow }: EarlierImportProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-sm text-muted">{details.join(", ")}</p>
        {children}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" aria-label={`Show ${name}`} onClick={onShow}>
          Show
        </Button>
        {removal}
      </div>
    </li>
  );
}

const NAME_MAX_LENGTH = 200;

/** Names of files may have line breaks, and cutting may divide a character; the api refuses both. */
export function sendableName(name: string): string {
  return name.slice(0, NAME_MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
}
