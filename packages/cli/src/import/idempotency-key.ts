import { createHash } from 'node:crypto';

/** The same for the same content in every run, so that a request repeated after a kill creates nothing twice. */
export function idempotencyKeyOf(purpose: string, content: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([purpose, content]))
    .digest('base64url');
  return `import-${purpose}-${hash}`;
}
