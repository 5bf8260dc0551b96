/** The hosts of a PostgreSQL URL: one address per host, and whether only a writable host is acceptable. */
export interface PostgresHosts {
  addresses: readonly [string, ...string[]];
  mustWrite: boolean;
}

/**
 * Splits a URL that names several hosts, as libpq does:
 * postgres://user:password@h1:5432,h2:5432/db?target_session_attrs=read-write. With several hosts, a standby is not
 * acceptable unless the URL says `any`. Returns undefined for other URLs.
 */
export function parsePostgresUrl(text: string): PostgresHosts | undefined {
  const [, start, hosts = '', rest] = AUTHORITY.exec(text) ?? [];
  const parsed = hosts.split(',').map((host) => URL.parse(`${start}${host}${rest}`));
  const [first, ...others] = parsed.flatMap((each) => (each === null ? [] : [each]));
  if (start === undefined || first === undefined || others.length + 1 < parsed.length) {
    return undefined;
  }
  const isSeveral = others.length > 0;
  const target = first.searchParams.get(TARGET);
  if ((target !== null && !WRITABLE.has(target) && target !== 'any') || (isSeveral && hosts.split(',').includes(''))) {
    return undefined;
  }
  const mustWrite = target === null ? isSeveral : WRITABLE.has(target);
  return { addresses: [addressOf(first, text), ...others.map((each) => addressOf(each, each.href))], mustWrite };
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
const TARGET = 'target_session_attrs';
const WRITABLE: ReadonlySet<string> = new Set(['read-write', 'primary']);

/** A URL without target_session_attrs, which the driver does not know. If it has none, returns the given text. */
function addressOf(url: URL, text: string): string {
  const isPlain = !url.searchParams.has(TARGET);
  url.searchParams.delete(TARGET);
  return isPlain && URL.canParse(text) ? text : url.href;
}
