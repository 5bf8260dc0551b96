import { parseMailAddress } from './mail-address.ts';

/** How the product presents itself in mails and on the pages where people log in. */
export interface BrandSetting {
  name: string;
  /** An https URL; empty if there is none, so that mails fetch nothing. */
  logoUrl: string;
  /** Of buttons, as #rrggbb. */
  color: string;
  /** The address for support; empty if there is none. */
  supportEmail: string;
}

/** Reads a bare name, or JSON with `name`, `logo_url`, `color` and `support_email`. */
export function parseBrand(text: string): { value: BrandSetting } | { problem: string } {
  const given = text.trimStart().startsWith('{') ? readJson(text) : { name: text };
  const {
    name,
    logo_url: logoUrl = '',
    color = DEFAULT_COLOR,
    support_email: supportEmail = '',
    ...others
  } = given ?? {};
  const isSound = isLine(name, 100) && isLogo(logoUrl) && isColor(color) && isAddress(supportEmail) && isEmpty(others);
  return isSound ? { value: { name: name.trim(), logoUrl, color: color.toLowerCase(), supportEmail } } : { problem };
}

const DEFAULT_COLOR = '#1d4ed8';

const problem =
  'must be a name, or JSON like {"name": "Acme Studio", "logo_url": "https://acme.example/logo.png", "color": "#0a4a8f", "support_email": "help@acme.example"}';

function isLine(value: unknown, most: number): value is string {
  return (
    typeof value === 'string' && value.trim() !== '' && value.length <= most && !/[\p{Cc}\u2028\u2029]/u.test(value)
  );
}

/** Mail programs fetch it, so it must not use plain HTTP or contain a password. */
function isLogo(value: unknown): value is string {
  if (value === '') {
    return true;
  }
  const url = isLine(value, 2_000) ? URL.parse(value) : null;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

function isColor(value: unknown): value is string {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
}

function isAddress(value: unknown): value is string {
  if (value === '') {
    return true;
  }
  const parsed = isLine(value, 254) ? parseMailAddress(value) : undefined;
  return parsed !== undefined && 'value' in parsed && parsed.value.address === value;
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
