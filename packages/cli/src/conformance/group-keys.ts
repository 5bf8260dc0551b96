/** The names of the groups of checks on the command line, in running order. */
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
