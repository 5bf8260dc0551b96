import { describe, expect, it } from 'vitest';
import { chooseCoding } from './choose-coding.ts';

describe('chooseCoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['deflate', 'identity'],
    ['gzip ; q=1.000 , br;q=0.9', 'gzip'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [', ,gzip,', 'gzip'],
    ['brotli', 'identity'],
  ])('parses %j as %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});
