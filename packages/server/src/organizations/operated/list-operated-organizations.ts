import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { findUserByEmail, parseEmail } from '../../users/index.ts';
import { listOrganizationIds } from '../memberships/queries.ts';
import { findByBeginning, type ListedRow, NAMED_LIST, OPERATED_LIST } from './operated-list.ts';
import { addKnownFacts, type OrganizationFacts } from './organization-facts.ts';
import type { ListedOrganization } from './schemas.ts';

/**
 * A page of all organizations. `query` finds one by an exact identifier: its ID, a member's address, a license key or
 * an invoice number. If nothing matches, it is the beginning of a name. Facts of other rooms are read only for the
 * page.
 */
export async function listOperatedOrganizations(
  { database }: AuthorizedContext,
  facts: OrganizationFacts,
  page: PageRequest,
): Promise<ListPage<ListedOrganization>> {
  const { query, ...filters } = page.filters;
  const ids = query === undefined ? null : await findIds(database, facts, query.trim());
  const { items: rows, next } =
    ids === null
      ? await OPERATED_LIST.getPage(database, page, {}, (row) => row)
      : await NAMED_LIST.getPage(database, { ...page, filters }, { ids }, (row) => row);
  return { items: rows.length === 0 ? [] : await addKnownFacts(database, facts, rows.map(presentListed)), next };
}

/**
 * The organizations that a text identifies exactly, otherwise those whose names begin with it; null if there are many.
 */
async function findIds(database: Queries, facts: OrganizationFacts, text: string): Promise<readonly string[] | null> {
  const named = await findNamed(database, facts, text);
  return named.length > 0 ? named : (await findByBeginning(database, { text, limit: FEW })).ids;
}

/** The organizations that this text identifies exactly. */
async function findNamed(database: Queries, facts: OrganizationFacts, text: string): Promise<readonly string[]> {
  if (ORGANIZATION_ID.test(text)) {
    return [text];
  }
  if (text.includes('@')) {
    const email = parseEmail(text);
    const user = email === undefined ? undefined : await findUserByEmail(database, { email });
    return user === undefined ? [] : listOrganizationIds(database, user.id);
  }
  return facts.findOrganizationsByReference(database, text);
}

/** Among a million, sorting this many takes about as long as finding a page of a larger number by the index. */
const FEW = 1_000;

const ORGANIZATION_ID = new RegExp(idPattern('organization'));

function presentListed(row: ListedRow) {
  return {
    id: row.id,
    name: row.name,
    status: row.is_suspended ? ('suspended' as const) : ('active' as const),
    external_id: row.external_id,
    created_at: row.created_at.toISOString(),
    member_count: row.member_count,
  };
}
