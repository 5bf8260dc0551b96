/*
 * What this browser remembers between visits: choices, never a secret. A page in another site's frame may be denied the
 * storage altogether, and then it remembers nothing.
 */

/** What was remembered under this name, if anything. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers this under the name; forgets it with undefined. */
export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, value);
    }
  } catch {
    // It lasts as long as the page.
  }
}
