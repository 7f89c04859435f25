import { createContext, useContext } from "react";

/** The name of the item of a list to which controls belong. Each says it to screen readers: the next item has the same controls. */
export const ItemName = createContext<string | undefined>(undefined);

/** The accessible name of a control if its text does not say it all. @param of its object, if it is another than the item */
export function useAccessibleName(text: string, of?: string): string | undefined {
  const item = useContext(ItemName);
  const object = of ?? item;
  return object && `${text} ${object}`;
}
