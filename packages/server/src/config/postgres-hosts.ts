/** What a PostgreSQL URL names: one address for each host, and whether only a host that takes writes will do. */
export interface PostgresHosts {
  addresses: readonly [string, ...string[]];
  mustWrite: boolean;
}

/**
 * Splits a URL that names several hosts, as libpq does: postgres://user:password@h1:5432,h2:5432/db?target_session_attrs=read-write.
 * With several hosts, a standby is never enough unless `any` is asked for. Returns undefined if it is no such URL.
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

/** A URL without target_session_attrs, which the driver does not know. One that never had it is the text as it was given. */
function addressOf(url: URL, text: string): string {
  const isPlain = !url.searchParams.has(TARGET);
  url.searchParams.delete(TARGET);
  return isPlain && URL.canParse(text) ? text : url.href;
}
