import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { findMember, type MemberRow } from './queries.ts';

/** A member of the organization. Throws `not_found` for any other user, including a member of another organization. */
export async function requireMember(tx: Queries, organizationId: string, userId: string): Promise<MemberRow> {
  const member = await findMember(tx, { organizationId, userId });
  if (member === undefined) {
    throw notFound('member');
  }
  return member;
}
