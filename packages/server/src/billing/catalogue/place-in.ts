/**
 * The path of what has this name in the mapping at `path`. A name that is no plain word is quoted, and shortened: it comes from
 * the file and is printed on a terminal.
 */
export function placeIn(path: string, name: string): string {
  const shown = /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
  return path === '' ? shown : `${path}.${shown}`;
}
