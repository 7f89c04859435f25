import { type ReactNode, useRef } from "react";
import { Button } from "../components/ui/button.tsx";
import { Card } from "../components/ui/card.tsx";
import { Details } from "../components/ui/details.tsx";
import { useOpenForm } from "../components/ui/form.tsx";
import { Loaded } from "../components/ui/loaded.tsx";
import { useFocusAfterChange } from "../lib/focus.ts";
import type { CallName } from "../lib/http/call-api.ts";
import { ItemName } from "../lib/item-name.ts";
import { Can } from "./can.tsx";

interface ItemsProps<Item> {
  title: string;
  text: string;
  empty: string;
  /** The call that creates an item, and what it does, such as "add domains". */
  call: CallName;
  what: string;
  add: string;
  maxCount: number;
  /** How many there are, if the list does not have all. */
  count?: number | undefined;
  /** Replaces the button at the maximum number. */
  tooMany: string;
  query: { data: Item[] | undefined; isError: boolean; refetch: () => unknown };
  item: (item: Item) => ReactNode;
  /** The form that creates an item. `close` returns the focus to the button. */
  form: (close: () => void) => ReactNode;
}

export function Items<Item extends { id: string | number }>(props: ItemsProps<Item>) {
  const { title, text, empty, call, what, add, maxCount, tooMany, query, item, form } = props;
  const { data } = query;
  const content = useRef<HTMLDivElement>(null);
  const newForm = useOpenForm(content);
  const isFull = (props.count ?? data?.length ?? 0) >= maxCount;
  useFocusAfterChange(data?.length, content);

  return (
    <Card title={title}>
      <p className="leading-6 text-pretty text-muted">{text}</p>
      <div ref={content} tabIndex={-1} className="mt-4 flex flex-col gap-4 outline-none">
        <Loaded place="line" data={data} query={query}>
          {(items) =>
            items.length === 0 ? (
              <p className="leading-6">{empty}</p>
            ) : (
              <ul aria-label={title} className="divide-y divide-line border-b border-line pb-4">
                {items.map((each) => (
                  <li key={each.id} className="py-4 first:pt-0 last:pb-0">
                    {item(each)}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
        <Can call={call} what={what}>
          {isFull ? (
            <p className="leading-6 text-pretty text-muted">{tooMany}</p>
          ) : (
            <Button variant="outline" {...newForm.button}>
              {add}
            </Button>
          )}
        </Can>
        {newForm.isOpen && <div className="motion-safe:animate-appear">{form(newForm.close)}</div>}
      </div>
    </Card>
  );
}

interface ItemProps {
  name: string;
  badge?: ReactNode;
  children: ReactNode;
  remove: ReactNode;
  /** Other buttons. All buttons are below the text then. */
  actions?: ReactNode;
  /** Buttons that are rarely needed. They are folded. */
  more?: ReactNode;
  details?: ReactNode;
}

export function Item({ name, badge, children, remove, actions, more, details }: ItemProps) {
  return (
    <ItemName value={name}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className={`min-w-0 flex-1 ${actions ? "basis-full" : "basis-56"}`}>
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
            {badge}
          </h3>
          {children}
        </div>
        <div className="flex flex-wrap gap-2 empty:hidden">
          {actions}
          {!more && remove}
        </div>
        <div className="flex min-w-0 basis-full flex-col gap-4 empty:hidden">
          {more && (
            <Details summary="More" openSummary="Less">
              <div className="flex flex-wrap gap-2">
                {more}
                {remove}
              </div>
            </Details>
          )}
          {details}
        </div>
      </div>
    </ItemName>
  );
}
