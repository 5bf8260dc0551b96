/** The headers of a request as frameworks give them: Fetch's `Headers`, Node.js's, or any record; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Every value under the name, joined as HTTP joins a header that comes twice: a second timestamp is refused then. Undefined when
 * there is none.
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
