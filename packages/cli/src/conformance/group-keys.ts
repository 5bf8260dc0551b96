/** How the command line names the groups of checks, in the order in which they run. */
export const GROUP_KEYS = [
  'transport',
  'errors',
  'lists',
  'idempotency',
  'access',
  'oauth',
  'projects',
  'licenses',
  'license-tokens',
  'plans',
  'webhooks',
  'documents',
  'every-answer',
] as const;

export type GroupKey = (typeof GROUP_KEYS)[number];
