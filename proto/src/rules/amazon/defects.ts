/** Why an address that was pasted does not fit. `text-around`: also quotes, invisible characters, or no scheme. */
export type Defect = "text-around" | "entities" | "wrapper" | "tag-name" | "several-tags" | "empty-tag";
