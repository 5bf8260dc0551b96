import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createCheck } from './validate.ts';
import { TEXT_PATTERNS, VISIBLE_LINE, VISIBLE_LINES } from './visible-text.ts';

const faultOf = (pattern: string, name: string) =>
  createCheck(Type.Object({ name: Type.String({ pattern }) }))({ name })?.message;
const isPortable = (pattern: string, text: string) =>
  new RegExp(TEXT_PATTERNS.get(pattern)?.portable ?? '$^').test(text);

describe('a visible line', () => {
  it.each([
    'Ada',
    '  Ada',
    '\u3000日本',
    '\u2028Ada',
    '\u{1f680} Rockets',
    '\uf8ff',
    '\u{1fbff}',
    'Ada\u200d',
    'a\u2028b',
  ])('is accepted as %j, also by its portable form', (text) => {
    expect(faultOf(VISIBLE_LINE, text)).toBeUndefined();
    expect(isPortable(VISIBLE_LINE, text)).toBe(true);
  });

  it.each(['', ' ', '\u3000', '\u2028', 'a\nb', 'a\tb', '\tAda', '\u0085', '\u0000'])(
    'is refused as %j with an explanation, also by its portable form',
    (text) => {
      expect(faultOf(VISIBLE_LINE, text)).toBe('name must contain a visible character, and no control characters.');
      expect(isPortable(VISIBLE_LINE, text)).toBe(false);
    },
  );

  it('is refused if it begins with an invisible formatting character', () => {
    expect(faultOf(VISIBLE_LINE, '\u202eAda')).toBeDefined();
  });
});

describe('several visible lines', () => {
  it.each(['1 Main St', '\n 1 Main St\r\nLondon\n', '\n\n\u3000日本'])(
    'are accepted as %j, also by their portable form',
    (text) => {
      expect(faultOf(VISIBLE_LINES, text)).toBeUndefined();
      expect(isPortable(VISIBLE_LINES, text)).toBe(true);
    },
  );

  it.each(['', ' \n ', '\tLondon', '\n\u000bLondon', 'a\tb'])(
    'are refused as %j with an explanation, also by their portable form',
    (text) => {
      expect(faultOf(VISIBLE_LINES, text)).toBe(
        'name must contain a visible character, and no control characters except line breaks.',
      );
      expect(isPortable(VISIBLE_LINES, text)).toBe(false);
    },
  );
});
