/**
 * Why an address that was pasted does not fit. `text-around`: also quotes, invisible characters, or no scheme; `misplaced`:
 * parameters that stand where Amazon does not read them.
 */
export type Defect =
  | "text-around"
  | "entities"
  | "wrapper"
  | "blanks"
  | "isbn-13"
  | "misplaced"
  | "tag-name"
  | "hyphen"
  | "several-tags"
  | "empty-tag";
