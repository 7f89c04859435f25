/**
 * Why an address that was pasted does not fit. `text-around`: also quotes, invisible characters, or no scheme; `ended`: a widget, an
 * old link or an error page; `misplaced`: parameters that stand where Amazon does not read them.
 */
export type Defect =
  | "text-around"
  | "entities"
  | "start"
  | "wrapper"
  | "preview"
  | "ended"
  | "blanks"
  | "isbn-13"
  | "misplaced"
  | "tag-name"
  | "hyphen"
  | "several-tags"
  | "empty-tag";
