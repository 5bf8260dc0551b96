import { describe, expect, it } from 'vitest';
import { cleanLine, cleanLines } from './clean-text.ts';

describe('cleanLine', () => {
  it('turns a text into one line of composed characters, without invisible ones', () => {
    expect(cleanLine(' A\r\n\u2028B\u00a0\u0000C ')).toBe('A B C');
    expect(cleanLine('e\u0301\u200b\u202e\u2066\u00adx\ufe0f')).toBe('éx');
  });

  it('keeps the joiner used in Persian spelling, and no other', () => {
    expect(cleanLine('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(cleanLine('a\u200cb\u200dc')).toBe('abc');
  });

  it('shows characters missing from every font by number, and replaces invalid characters', () => {
    expect(cleanLine('🚀\u{e000}')).toMatch(/^⟨U\+1F680⟩/);
    expect(cleanLine('नमस्ते')).toBe('⟨U+0928⟩⟨U+092E⟩⟨U+0938⟩⟨U+094D⟩⟨U+0924⟩⟨U+0947⟩');
    expect(cleanLine('a\ud800')).toBe('a\ufffd');
  });
});

it('the lines of an address are split at any line ending, without empty ones', () => {
  expect(cleanLines('Weg 1\r\n\n  \n10115 Berlin\rGermany\u2028')).toEqual(['Weg 1', '10115 Berlin', 'Germany']);
});
