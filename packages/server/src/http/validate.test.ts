import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createCheck } from './validate.ts';

describe('a validation', () => {
  const check = createCheck(
    Type.Object(
      {
        name: Type.String({ minLength: 2 }),
        scopes: Type.Optional(Type.Array(Type.Enum(['a', 'b']), { minItems: 1, maxItems: 100 })),
        order: Type.Optional(Type.Union([Type.Enum(['up', 'down']), Type.Null()])),
        nested: Type.Optional(
          Type.Object({ at: Type.String({ format: 'date-time' }) }, { additionalProperties: false }),
        ),
      },
      { additionalProperties: false },
    ),
  );

  it.each([
    [{}, 'name', 'required'],
    [{ name: 1 }, 'name', 'type'],
    [{ name: 'x' }, 'name', 'length'],
    [{ name: 'xy', more: 1 }, 'more', 'unknown'],
    [{ name: 'xy', scopes: ['c'] }, 'scopes.0', 'enum'],
    [{ name: 'xy', scopes: [1] }, 'scopes.0', 'type'],
    [{ name: 'xy', scopes: [null] }, 'scopes.0', 'type'],
    [{ name: 'xy', order: 1 }, 'order', 'type'],
    [{ name: 'xy', order: 'sideways' }, 'order', 'enum'],
    [{ name: 'xy', nested: { at: 'now' } }, 'nested.at', 'format'],
    [{ name: 'xy', nested: {} }, 'nested.at', 'required'],
    [[], '', 'type'],
  ])('names the field at fault and why: %j', (value, field, reason) => {
    expect(check(value)?.details).toEqual({ field, reason });
  });

  it('says which type a value of the wrong type must have, not which values are allowed', () => {
    expect(check({ name: 'xy', scopes: [1] })?.message).toBe('scopes.0 must be string.');
  });

  it('refuses a body of a hundred thousand wrong items without explaining each', () => {
    const started = process.cpuUsage();
    for (const item of ['a', 'c', 1]) {
      expect(check({ name: 'xy', scopes: Array.from({ length: 100_000 }, () => item) })?.details).toEqual({
        field: 'scopes',
        reason: 'length',
      });
    }
    // Explained one by one, this took many seconds of CPU time, far more than half a second.
    expect(process.cpuUsage(started).user).toBeLessThan(500_000);
  });
});
