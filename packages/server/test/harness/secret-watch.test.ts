import { describe, expect, it } from 'vitest';
import { SecretWatch } from './secret-watch.ts';

const SECRET = 'svc_sat_0123456789abcdefghijABCDEFGHIJ';

describe('the watch over secrets', () => {
  it.each([
    ['verbatim', `token=${SECRET};`],
    ['as hex, like PostgreSQL prints bytes', `\\x00${Buffer.from(SECRET).toString('hex')}`],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 of something longer', Buffer.from(`x${SECRET}`).toString('base64')],
    ['as base64 of something longer still', Buffer.from(`xy${SECRET}`).toString('base64')],
  ])('finds one %s', (_how, text) => {
    const watch = new SecretWatch();
    watch.noteBody({ data: { user: { id: 'usr_1' }, access_token: SECRET } });

    expect(watch.findIn(text)).toHaveLength(1);
    expect(watch.findIn('usr_1 and nothing else that anyone noted')).toEqual([]);
  });
});
