import { LATEST_EXPIRY_MS } from '../parse-expiry.ts';

/** When a token that lives as long as this one was made to ends, if it is made now; null for one that never ends. */
export function expiryOfSuccessor(old: { createdAt: Date; expiresAt: Date | null }, now: Date): Date | null {
  if (old.expiresAt === null) {
    return null;
  }
  const lifeMs = old.expiresAt.getTime() - old.createdAt.getTime();
  return new Date(Math.min(now.getTime() + lifeMs, LATEST_EXPIRY_MS));
}
