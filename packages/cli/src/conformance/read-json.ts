/** The value of a JSON text; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a dotted path of a JSON value; undefined if there is none. */
export function pick(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    found = isRecord(found) || Array.isArray(found) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

/** The same for a text; empty if there is none. */
export function pickText(value: unknown, path: string): string {
  const found = pick(value, path);
  return typeof found === 'string' ? found : '';
}

/** The same for a list; empty if there is none. */
export function pickList(value: unknown, path: string): readonly unknown[] {
  const found = pick(value, path);
  return Array.isArray(found) ? found : [];
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
