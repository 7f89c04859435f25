const TEXTS = {
  archive: "This is a spreadsheet or an archive. Save the spreadsheet as CSV, or unpack the archive.",
  empty: "There are no links in this file.",
  "format-unknown":
    "This file has no column of addresses. One of its first five lines must name the columns, or each line must be an address.",
  json: "This is JSON in which no links were found. Please save them as CSV.",
  "too-large": "The file is too large. It can have 10 MB at most.",
  "too-many-columns": "A line of this file has more than 200 columns.",
  "too-many-lines": "An import can have at most 10,000 lines. Please split the file.",
  "not-text": "This is not a text file. A list of links is a CSV or a text with one address in each line.",
  unreadable: "This file could not be read as a table. A quote may not be closed, or a line may be too long.",
} as const;

/** A file that cannot be imported. The message is for the user. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly reason: keyof typeof TEXTS;

  constructor(reason: keyof typeof TEXTS, message: string = TEXTS[reason]) {
    super(message);
    this.reason = reason;
  }
}
