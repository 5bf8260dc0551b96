/*
 * What this browser remembers between visits: choices, never a secret. A page in another site's frame may have no
 * access to storage, and then remembers nothing.
 */

/** The value remembered under this name, if any. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a value under the name; undefined removes it. */
export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, value);
    }
  } catch {
    // It is then only kept until the page is left.
  }
}
