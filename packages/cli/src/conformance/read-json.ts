/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands at a dotted path of a JSON value; undefined where there is nothing. */
export function pick(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    found = isRecord(found) || Array.isArray(found) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

/** The same where a text is expected; empty where there is none. */
export function pickText(value: unknown, path: string): string {
  const found = pick(value, path);
  return typeof found === 'string' ? found : '';
}

/** The same where a list is expected; empty where there is none. */
export function pickList(value: unknown, path: string): readonly unknown[] {
  const found = pick(value, path);
  return Array.isArray(found) ? found : [];
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
