import { ACCESS_CHECKS } from './access.ts';
import type { CheckGroup } from './check.ts';
import { DOCUMENTS } from './documents.ts';
import { ERRORS } from './errors.ts';
import { EVERY_ANSWER } from './every-answer.ts';
import { IDEMPOTENCY } from './idempotency.ts';
import { LICENSE_TOKENS } from './license-tokens.ts';
import { LICENSES } from './licenses.ts';
import { LISTS } from './lists.ts';
import { OAUTH } from './oauth.ts';
import { PLANS } from './plans.ts';
import { PROJECTS } from './projects.ts';
import { TRANSPORT } from './transport.ts';
import { webhookChecks } from './webhooks.ts';

/** All groups, in running order. */
export function allGroups(options: { webhookUrl: string }): readonly CheckGroup[] {
  return [
    TRANSPORT,
    ERRORS,
    LISTS,
    IDEMPOTENCY,
    ACCESS_CHECKS,
    OAUTH,
    PROJECTS,
    LICENSES,
    LICENSE_TOKENS,
    PLANS,
    webhookChecks(options.webhookUrl),
    DOCUMENTS,
    EVERY_ANSWER,
  ];
}
