import { describe, expect, it } from 'vitest';
import { parsePostgresUrl } from './postgres-hosts.ts';

describe('the URL of a PostgreSQL database', () => {
  it('with one host stays unchanged', () => {
    const url = 'postgres://seathold:p%40ss@db.internal/seathold?sslmode=require';
    expect(parsePostgresUrl(url)).toEqual({ addresses: [url], mustWrite: false });
  });

  it('with several hosts is split into one address per host, and accepts only a host that takes writes', () => {
    expect(parsePostgresUrl('postgresql://u:p@h1:5432,[::1]:5433,h3/db?sslmode=require')).toEqual({
      addresses: [
        'postgresql://u:p@h1:5432/db?sslmode=require',
        'postgresql://u:p@[::1]:5433/db?sslmode=require',
        'postgresql://u:p@h3/db?sslmode=require',
      ],
      mustWrite: true,
    });
  });

  it.each([
    ['postgres://h1,h2/db?target_session_attrs=any', ['postgres://h1/db', 'postgres://h2/db'], false],
    ['postgres://h1,h2/db?target_session_attrs=primary', ['postgres://h1/db', 'postgres://h2/db'], true],
    ['postgres://h1/db?target_session_attrs=read-write', ['postgres://h1/db'], true],
  ])('respects target_session_attrs: %s', (url, addresses, mustWrite) => {
    expect(parsePostgresUrl(url)).toEqual({ addresses, mustWrite });
  });

  it.each([
    'mysql://h1/db',
    'postgres:h1',
    'postgres://h1,,h2/db',
    'postgres://h1,h2:port/db',
    'postgres://h1,h2/db?target_session_attrs=standby',
    'no address',
  ])('is refused: %s', (url) => {
    expect(parsePostgresUrl(url)).toBeUndefined();
  });
});
