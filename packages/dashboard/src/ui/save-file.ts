/** Hands a file to the browser's downloads. The cookie is valid only for scripts of this page, so a link would be refused. */
export function saveFile(bytes: BlobPart, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
