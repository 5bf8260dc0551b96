import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createCheck } from './validate.ts';

describe('a validation', () => {
  const check = createCheck(
    Type.Object(
      {
        name: Type.String({ minLength: 2 }),
        scopes: Type.Optional(Type.Array(Type.Enum(['a', 'b']), { minItems: 1, maxItems: 100 })),
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
    [{ name: 'xy', nested: { at: 'now' } }, 'nested.at', 'format'],
    [{ name: 'xy', nested: {} }, 'nested.at', 'required'],
    [[], '', 'type'],
  ])('names the field at fault and why: %j', (value, field, reason) => {
    expect(check(value)?.details).toEqual({ field, reason });
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
