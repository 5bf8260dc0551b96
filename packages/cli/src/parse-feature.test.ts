import { describe, expect, it } from 'vitest';
import { parseFeature } from './parse-feature.ts';

describe('a feature on the command line', () => {
  it.each([
    ['ai_assistance', ['ai_assistance', true]],
    ['ai_assistance=false', ['ai_assistance', false]],
    ['projects=20', ['projects', 20]],
    ['ratio=-0.5', ['ratio', -0.5]],
    ['edition=studio', ['edition', 'studio']],
    ['version="20"', ['version', '20']],
    ['formula=a=b', ['formula', 'a=b']],
    ['note=', ['note', '']],
  ])('reads %s', (text, expected) => {
    expect(parseFeature(text)).toEqual(expected);
  });

  it.each(['', '=20', '2d', 'a b', `text=${'x'.repeat(256)}`])('%j is refused', (text) => {
    expect(() => parseFeature(text)).toThrow();
  });
});
