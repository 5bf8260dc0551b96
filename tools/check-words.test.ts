import { describe, expect, it } from 'vitest';
import { checkWords } from './check-words/check-words.ts';
import { PHRASES } from './check-words/phrases.ts';

const check = (text: string, exceptions: Parameters<typeof checkWords>[2] = []) =>
  checkWords([{ path: 'docs/page.md', text }], PHRASES, exceptions).map(({ line, message }) => `${line} ${message}`);

describe('the check of words', () => {
  it('names the line of a phrase and what to write instead', () => {
    expect(check('A seat.\nIt is kept For Ever.')).toEqual(['2 "For Ever": write forever, always']);
  });

  it.each([
    ['in a comment of several lines', '/**\n * The customer is\n * told it.\n */'],
    ['in line comments', '// The customer is\n// told it.'],
    ['in a paragraph', 'The customer is\ntold it.'],
  ])('finds a phrase that continues on the next line %s', (_where, text) => {
    expect(check(text)).toHaveLength(1);
  });

  it('does not find a phrase within longer words', () => {
    expect(check('Marshall amends the untoldable.')).toEqual([]);
  });

  it('permits a phrase where an exception allows it, and refuses an exception that nothing needs', () => {
    const exceptions = [{ path: 'docs/', pattern: 'whitelist', reason: 'a quotation' }];
    expect(check('a whitelist', exceptions)).toEqual([]);
    expect(check('an allowlist', exceptions)).toEqual(['1 no longer has "whitelist"']);
  });
});
