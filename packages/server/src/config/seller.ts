/** The issuer of invoices. */
export interface SellerSetting {
  name: string;
  /** As on an envelope; lines are separated by line feeds. Empty if not given. */
  address: string;
  /** Empty if not given. */
  taxId: string;
}

/** Reads a bare name, or JSON with `name`, `address` and `tax_id`. */
export function parseSeller(text: string): { value: SellerSetting } | { problem: string } {
  const given = text.trimStart().startsWith('{') ? readJson(text) : { name: text };
  const { name, address = '', tax_id: taxId = '', ...others } = given ?? {};
  const isSound =
    isLine(name) && name.trim() !== '' && typeof address === 'string' && address.length <= 1_000 && isLine(taxId);
  return isSound && Object.keys(others).length === 0
    ? { value: { name: name.trim(), address: address.trim(), taxId: taxId.trim() } }
    : {
        problem:
          'must be a name, or JSON like {"name": "Acme GmbH", "address": "Weg 1\\n10115 Berlin", "tax_id": "DE123"}',
      };
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200 && !/\p{Cc}/u.test(value);
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
