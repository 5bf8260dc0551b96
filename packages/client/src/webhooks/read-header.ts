/**
 * The headers of a request as provided by frameworks: Fetch's `Headers`, Node.js's, or any record; names in any case.
 */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Every value under the name, joined as HTTP joins repeated headers, so that a second timestamp is refused. Undefined
 * if there is none.
 */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  const value = isHeaders(headers) ? headers.get(name) : readRecord(headers, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readRecord(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): string {
  return Object.entries(headers)
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
    .join(',');
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
