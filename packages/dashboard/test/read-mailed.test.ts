import { expect, it } from 'vitest';
import { readMailed } from '../src/access/read-mailed.ts';

it('a mail’s link yields the code and the invited address', () => {
  expect(readMailed('#code=svc_evt_1')).toEqual({ code: 'svc_evt_1', email: '' });
  expect(readMailed('#code=svc_inv_1&email=grace%2Bx%40example.com')).toEqual({
    code: 'svc_inv_1',
    email: 'grace+x@example.com',
  });
});

it.each(['', '#', '#code=', '#code=%3Cscript%3E', `#code=${'a'.repeat(129)}`, '#top'])(
  'no code is found in %j',
  (hash) => {
    expect(readMailed(hash)).toEqual({ code: '', email: '' });
  },
);
