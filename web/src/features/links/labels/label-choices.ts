import type { Label, LabelRef } from "@tapthru/proto/labels";
import { labelKey } from "@tapthru/proto/rules/labels";
import { useState } from "react";
import type { SelectedLink } from "../list/use-selection.ts";

export interface LabelChoice {
  /** The id, or the name of a label that does not exist yet. */
  ref: LabelRef;
  name: string;
  colour: Label["colour"] | null;
  /** Null if some of the links have it, or it is unknown whether they do. */
  isOn: boolean | null;
}

export type LabelChanges = ReadonlyMap<LabelRef, boolean>;

/** The labels that links have, and the changes that the user chooses. */
export function useLabelChoices(labels: readonly Label[], links: readonly SelectedLink[]) {
  const [changes, setChanges] = useState<LabelChanges>(new Map());
  const newNames = [...changes.keys()].filter((ref) => typeof ref === "string");

  function isOnNow({ id }: Label): boolean | null {
    if (links.some((link) => !link.labels)) return null;
    const count = links.filter((link) => link.labels?.some((label) => label.id === id)).length;
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

  /** @returns all changes */
  function change(ref: LabelRef, isOn: boolean): LabelChanges {
    const changed = new Map([...changes, [ref, isOn]]);
    setChanges(changed);
    return changed;
  }

  return {
    choices,
    changes,
    change,
    /** Chooses the label with this name, which may be new. @returns all changes */
    add(name: string): LabelChanges {
      const existing = choices.find((choice) => labelKey(choice.name) === labelKey(name));
      return change(existing?.ref ?? name, true);
    },
  };
}

export function refsOf(changes: LabelChanges) {
  const refs = [...changes];
  return {
    addLabels: refs.filter(([, isOn]) => isOn).map(([ref]) => ref),
    removeLabels: refs.filter(([, isOn]) => !isOn).map(([ref]) => ref),
  };
}
