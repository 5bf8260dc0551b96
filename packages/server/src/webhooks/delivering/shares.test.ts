import { describe, expect, it } from 'vitest';
import { Shares } from './shares.ts';

describe('a share', () => {
  it('is as large for each, whatever the others have, and comes back as theirs ends', () => {
    const shares = new Shares(2);
    shares.begin('a');
    shares.begin('a');
    shares.begin('b');
    expect(['a', 'b', 'c'].map((name) => shares.left(name))).toEqual([0, 1, 2]);
    expect(shares.full()).toEqual(['a']);
    shares.end('a');
    shares.end('b');
    expect(['a', 'b', 'c'].map((name) => shares.left(name))).toEqual([1, 2, 2]);
    expect(shares.full()).toEqual([]);
  });
});
