import type { Label, LabelRef } from "@tapthru/proto/http/labels";
import type { Link } from "@tapthru/proto/http/links";
import { labelKey } from "@tapthru/proto/rules/labels";
import { useState } from "react";

export interface LabelChoice {
  /** The id, or the name of a label that does not exist yet. */
  ref: LabelRef;
  name: string;
  colour: Label["colour"] | null;
  /** Null if some of the links have it. */
  isOn: boolean | null;
}

/** The labels that links have, and the changes that the user chooses. */
export function useLabelChoices(labels: readonly Label[], links: readonly Link[]) {
  const [changes, setChanges] = useState<ReadonlyMap<LabelRef, boolean>>(new Map());
  const refs = [...changes];
  const newNames = refs.map(([ref]) => ref).filter((ref) => typeof ref === "string");

  function isOnNow({ id }: Label): boolean | null {
    const count = links.filter((link) => link.labels.some((label) => label.id === id)).length;
    if (count === 0) return false;
    return count === links.length ? true : null;
  }

  const choices: LabelChoice[] = [
    ...labels.map((label) => {
      const { id, name, colour } = label;
      return { ref: id, name, colour, isOn: changes.get(id) ?? isOnNow(label) };
    }),
    ...newNames.map((name) => ({
      ref: name,
      name,
      colour: null,
      isOn: changes.get(name) ?? false,
    })),
  ];
  const change = (ref: LabelRef, isOn: boolean) => setChanges(new Map([...changes, [ref, isOn]]));

  return {
    choices,
    change,
    /** Chooses the label with this name, which may be new. */
    add(name: string) {
      const existing = choices.find((choice) => labelKey(choice.name) === labelKey(name));
      change(existing?.ref ?? name, true);
    },
    addLabels: refs.filter(([, isOn]) => isOn).map(([ref]) => ref),
    removeLabels: refs.filter(([, isOn]) => !isOn).map(([ref]) => ref),
  };
}
