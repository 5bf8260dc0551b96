import { describe, expect, it } from 'vitest';
import { expiryOfSuccessor } from './expiry-rules.ts';

const at = (text: string) => new Date(text);
const CREATED = at('2026-01-01T00:00:00Z');

describe('expiryOfSuccessor', () => {
  it('gives the new token the lifetime of the old one', () => {
    const old = { createdAt: CREATED, expiresAt: at('2026-01-31T00:00:00Z') };
    expect(expiryOfSuccessor(old, at('2026-01-20T12:00:00Z'))).toEqual(at('2026-02-19T12:00:00Z'));
  });

  it('gives a token without expiry a successor without expiry', () => {
    expect(expiryOfSuccessor({ createdAt: CREATED, expiresAt: null }, CREATED)).toBeNull();
  });

  it('caps the expiry at the last representable year', () => {
    const old = { createdAt: CREATED, expiresAt: at('9999-12-31T00:00:00Z') };
    expect(expiryOfSuccessor(old, at('2026-06-01T00:00:00Z'))).toEqual(at('9999-12-31T23:59:59.999Z'));
  });
});
