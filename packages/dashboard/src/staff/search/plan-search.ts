/** The places to search for a text. */
export type Place =
  | 'customers'
  | 'customersByExternalId'
  | 'users'
  | 'license'
  | 'licensesByKey'
  | 'licensesByExternalId'
  | 'subscription'
  | 'invoice'
  | 'invoicesByNumber'
  | 'payment'
  | 'paymentsByReference'
  | 'request';

const PLACES_OF_IDS: Readonly<Record<string, readonly Place[]>> = {
  org: ['customers'],
  usr: ['users'],
  lic: ['license'],
  sub: ['subscription'],
  inv: ['invoice'],
  pay: ['payment'],
  req: ['request'],
};

/**
 * Where to search for a text: an ID's prefix shows its kind, and keys, numbers and email addresses have their own
 * formats. Anything else may be a name, or another system's identifier.
 */
export function planSearch(text: string): readonly Place[] {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(text) ?? [];
  const places = PLACES_OF_IDS[prefix];
  if (places !== undefined) {
    return places;
  }
  if (/^req_\S+$/.test(text)) {
    return ['request'];
  }
  if (/^([0-9a-z]{5}-){3}[0-9a-z]{5}$/i.test(text)) {
    return ['licensesByKey', 'customers'];
  }
  if (text.includes('@')) {
    return ['users', 'customers'];
  }
  if (/^[0-9a-z]+(-[0-9a-z]+)*-\d{6,}$/i.test(text)) {
    return ['invoicesByNumber', ...ANYWHERE];
  }
  return ANYWHERE;
}

const ANYWHERE = [
  'customers',
  'users',
  'customersByExternalId',
  'licensesByExternalId',
  'paymentsByReference',
] as const satisfies readonly Place[];
