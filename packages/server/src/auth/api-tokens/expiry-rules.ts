import { LATEST_EXPIRY_MS } from '../parse-expiry.ts';

/** When a token created now with the same lifetime as this one expires; null if it never does. */
export function expiryOfSuccessor(old: { createdAt: Date; expiresAt: Date | null }, now: Date): Date | null {
  if (old.expiresAt === null) {
    return null;
  }
  const lifeMs = old.expiresAt.getTime() - old.createdAt.getTime();
  return new Date(Math.min(now.getTime() + lifeMs, LATEST_EXPIRY_MS));
}
