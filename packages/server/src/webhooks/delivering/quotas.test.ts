import { describe, expect, it } from 'vitest';
import { Quotas } from './quotas.ts';

describe('a quota', () => {
  it('is the same for each name, whatever the others use, and is returned as attempts end', () => {
    const quotas = new Quotas(2);
    quotas.begin('a');
    quotas.begin('a');
    quotas.begin('b');
    expect(['a', 'b', 'c'].map((name) => quotas.available(name))).toEqual([0, 1, 2]);
    expect(quotas.full()).toEqual(['a']);
    quotas.end('a');
    quotas.end('b');
    expect(['a', 'b', 'c'].map((name) => quotas.available(name))).toEqual([1, 2, 2]);
    expect(quotas.full()).toEqual([]);
  });
});
