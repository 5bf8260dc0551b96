import { staffActorOf } from '../../audit/index.ts';
import { DOCUMENTED_FEATURES } from '../../billing/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { applyPolicyChange, requireConsistent, requireFitting } from './license-terms-rules.ts';
import { presentOperatorLicense } from './present-operator-license.ts';
import { findOperatorLicense } from './queries.ts';
import type { IssueInput } from './schemas.ts';

/**
 * Issues a license to an organization. Throws not_found for an unknown organization, already_exists for an external_id that
 * another of its licenses has, and validation_failed for an unknown product or feature, or a policy that contradicts itself.
 */
export async function issueOperatorLicense(
  context: AuthorizedContext,
  { outbox, settings }: LicensingTools,
  input: IssueInput,
): Promise<Answer<unknown>> {
  requireFitting(input);
  const { policy, allowedUsers } = applyPolicyChange({}, null, input.policy ?? {});
  const { organization_id: organizationId, product, max_seats: maxSeats, features = {}, tier = 'pro' } = input;
  const row = await context.database.transaction(async (tx) => {
    const by = staffActorOf(context, organizationId);
    const { license } = await issueLicense(
      { database: tx, outbox, by },
      {
        organizationId,
        product,
        maxSeats,
        features: { ...Object.fromEntries(DOCUMENTED_FEATURES.map((name) => [name, false])), ...features },
        expiresAt: input.expires_at,
        tier,
        heartbeatIntervalSeconds: undefined,
        sessionTimeoutSeconds: undefined,
        policy,
        allowedUsers,
        requiresProduct: true,
        keyAliases: input.key_aliases ?? [],
        externalId: input.external_id ?? null,
        metadata: input.metadata ?? {},
      },
    );
    const issued = await findOperatorLicense(tx, { id: license.id });
    if (issued === undefined) {
      throw new Error('the license that was just issued is missing');
    }
    requireConsistent(issued, settings);
    return issued;
  });
  return { data: presentOperatorLicense(row, settings) };
}
