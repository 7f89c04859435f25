import type { UseQueryResult } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { useOpenForm } from "../ui/form.tsx";
import { Spinner } from "../ui/spinner.tsx";

interface ItemsCardProps<Item> {
  title: string;
  /** What the items are for. */
  text: string;
  texts: {
    /** The button that opens the form. */
    add: string;
    empty: string;
    failed: string;
    /** Replaces the button at the maximum number. */
    tooMany: string;
  };
  maxCount: number;
  query: Pick<UseQueryResult<Item[]>, "data" | "isFetching" | "refetch">;
  /** A `RevocableItem`. Call `onRevoked` once the item is no longer in the data. */
  item: (item: Item, onRevoked: () => void) => ReactNode;
  /** The form that creates an item. `close` returns the focus to the button. */
  form: (close: () => void) => ReactNode;
}

/** A section of the account: a list of items that the user creates and revokes. */
export function ItemsCard<Item extends { id: string | number }>(props: ItemsCardProps<Item>) {
  const { title, text, texts, maxCount, query, item, form } = props;
  const { data, isFetching, refetch } = query;
  const content = useRef<HTMLDivElement>(null);
  const newForm = useOpenForm(content);
  const isFull = data !== undefined && data.length >= maxCount;

  // The button that had the focus is gone with its item.
  const wasRevoked = useRef(false);
  useEffect(() => {
    if (wasRevoked.current) content.current?.focus();
    wasRevoked.current = false;
  }, [data]);

  return (
    <Card title={title}>
      <p className="leading-6 text-pretty text-muted">{text}</p>
      <div ref={content} tabIndex={-1} className="mt-4 flex flex-col gap-4 outline-none">
        {!data && isFetching && (
          // As tall as the text of an empty list.
          <div data-loading className="flex min-h-6 animate-appear-late items-center">
            <Spinner label="Loading..." />
          </div>
        )}
        {!data && !isFetching && (
          <div className="flex flex-col items-start gap-4">
            <p role="alert">{texts.failed}</p>
            <Button variant="outline" onClick={() => refetch()}>
              Try again
            </Button>
          </div>
        )}
        {data?.length === 0 && <p className="leading-6">{texts.empty}</p>}
        {data && data.length > 0 && (
          <ul aria-label={title} className="divide-y divide-line">
            {data.map((each) => (
              <Fragment key={each.id}>
                {item(each, () => {
                  wasRevoked.current = true;
                })}
              </Fragment>
            ))}
          </ul>
        )}
        {isFull && <p className="leading-6 text-pretty text-muted">{texts.tooMany}</p>}
        {!isFull && (
          <Button variant="outline" {...newForm.button}>
            {texts.add}
          </Button>
        )}
        {newForm.isOpen && <div className="motion-safe:animate-appear">{form(newForm.close)}</div>}
      </div>
    </Card>
  );
}
