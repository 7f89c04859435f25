import { onTestFinished, vi } from "vitest";

/** The files that are saved from now on to the end of the test. */
export function catchFiles(): { name: string; file: Blob }[] {
  const files: { name: string; file: Blob }[] = [];
  const toUrl = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, file: toUrl.mock.lastCall?.[0] as Blob });
  });
  onTestFinished(() => {
    toUrl.mockRestore();
    click.mockRestore();
  });
  return files;
}
