import { describe, expect, it } from 'vitest';
import { parseRow } from './parse-row.ts';

const LICENSE = {
  kind: 'license',
  external_id: 'crm-1',
  organization: 'acme',
  product: 'studio',
  max_seats: 5,
  expires_at: '2027-12-31',
};

describe('a row', () => {
  it('has its times in the format that the service uses', () => {
    expect(parseRow(LICENSE, undefined)).toEqual({ row: { ...LICENSE, expires_at: '2027-12-31T00:00:00.000Z' } });
    expect(parseRow({ ...LICENSE, expires_at: 'never' }, undefined)).toEqual({
      row: { ...LICENSE, expires_at: 'never' },
    });
  });

  it('reports all of its mistakes together', () => {
    const { product: _, ...rest } = LICENSE;
    const { problems } = parseRow({ ...rest, max_seats: 0, seats: 3, key_aliases: ['abc'] }, undefined);
    expect(problems?.map(({ field }) => field).sort()).toEqual(['key_aliases.0', 'max_seats', 'product', 'seats']);
  });

  it('must say when a license expires: an empty cell does not mean a perpetual license', () => {
    const { expires_at: _, ...rest } = LICENSE;
    expect(parseRow(rest, undefined).problems).toEqual([{ field: 'expires_at', problem: 'is missing' }]);
    expect(parseRow({ ...LICENSE, expires_at: '2027-02-30' }, undefined).problems).toHaveLength(1);
  });

  it('has the kind of the file if it names none itself', () => {
    const user = { organization: 'acme', email: 'jane@example.com' };
    expect(parseRow(user, 'user')).toEqual({ row: { kind: 'user', ...user } });
    expect(parseRow(user, undefined).problems?.[0]?.field).toBe('kind');
    expect(parseRow([], 'user').problems).toEqual([{ field: '', problem: 'must be a JSON object' }]);
  });
});
