import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPasswordFault } from './password-rules.ts';

const ADA = { email: 'ada.lovelace@example.com', name: 'Ada Augusta Lovelace' };

describe('findPasswordFault', () => {
  it.each([
    '1234567890',
    'password123',
    'PassWord123',
    'qwertyuiop',
    'ｐａｓｓｗｏｒｄ１２３',
    'iloveyou123',
    'aaaaaaaaaa',
  ])('refuses the common password %j, however it is written', (password) => {
    expect(findPasswordFault(password, ADA)).toBe('common');
  });

  it.each(['ada.lovelace@example.com', 'ada.lovelace', 'Ada Augusta Lovelace', 'adaaugustalovelace'])(
    'refuses %j, which is the name or the address itself',
    (password) => {
      expect(findPasswordFault(password, ADA)).toBe('personal');
    },
  );

  it.each(['an engine that weaves patterns', 'password12345678901', 'пароль нелёгкий', '          x'])(
    'accepts %j',
    (password) => {
      expect(findPasswordFault(password, ADA)).toBeUndefined();
    },
  );
});

describe('the list of common passwords', () => {
  const words = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  it('contains at least a thousand, each once, long enough to be tried, and in the form used for lookup', () => {
    expect(words.length).toBeGreaterThanOrEqual(1_000);
    expect(words.filter((word) => [...word].length < 10 || word !== word.normalize('NFKC').toLowerCase())).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
  });
});
