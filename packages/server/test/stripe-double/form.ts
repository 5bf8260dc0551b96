/** A decoded form: Stripe nests with brackets, `metadata[attempt_id]=…`, `allowed_payment_method_types[0]=card`. */
export interface Params {
  [name: string]: string | Params;
}

/** Decodes a form-encoded body with nested brackets. */
export function decodeForm(body: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(body)) {
    place(params, name.replaceAll(']', '').split('['), value);
  }
  return params;
}

function place(params: Params, [first = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    params[first] = value;
    return;
  }
  const known = params[first];
  const inner: Params = typeof known === 'object' ? known : {};
  params[first] = inner;
  place(inner, rest, value);
}

/** A parameter that is a text. */
export function textOf(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

/** A parameter that is a map of texts. */
export function mapOf(params: Params, name: string): Record<string, string> {
  const value = params[name];
  const entries = typeof value === 'object' ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
