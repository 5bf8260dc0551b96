import { describe, expect, it } from 'vitest';
import { sessionIdOf } from './count-by-session.ts';

const ID = 'sess_01kagt2m8xf3q9wz5r7e6b4c1d';
const idOf = (body: string) => sessionIdOf(Buffer.from(body));

describe('the session that a body is counted under', () => {
  it.each([`{"session_id":"${ID}"}`, `{ "session_id": "${ID}" }`, `\n{\n\t"session_id" : "${ID}"\r\n}\n`])(
    'is the one in %j',
    (body) => {
      expect(idOf(body)).toBe(ID);
    },
  );

  it.each([
    '',
    '{}',
    `["${ID}"]`,
    `{"session_id":"${ID.toUpperCase()}"}`,
    `{"session_id":"${ID}x"}`,
    `{"session_id":"lic_${ID.slice(5)}"}`,
    `{"session_id":"${ID}","session_id":"sess_01kagt2m8xf3q9wz5r7e6b4c1e"}`,
    `{"session_id":"${ID}","extra":1}`,
    `{"session\\u005fid":"${ID}"}`,
    `\u00a0{"session_id":"${ID}"}`,
    `{"session_id":"${ID}"}${' '.repeat(300)}`,
  ])('does not exist for %j', (body) => {
    expect(idOf(body)).toBeUndefined();
  });

  it('does not exist without a body', () => {
    expect(sessionIdOf(undefined)).toBeUndefined();
  });
});
