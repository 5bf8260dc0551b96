import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { createOrganization, type MembershipRow } from '../../organizations/index.ts';
import { insertUser, type UserSummary } from '../../users/index.ts';

/** A validated user about to be inserted, with a hashed password. */
export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string;
  organizationName: string;
}

/** A user and the organization that they are the admin of. */
export interface Account {
  user: UserSummary;
  membership: MembershipRow;
}

/** Writes a user with an organization of their own. Throws `already_exists` when the email address is taken. */
export async function createAccount(tx: Queries, account: NewAccount): Promise<Account> {
  const user = { id: newId('user'), email: account.email, name: account.name };
  if ((await insertUser(tx, { ...user, passwordHash: account.passwordHash })) === 0) {
    throw httpError('already_exists', 'An account with this email address already exists.', {
      details: { field: 'email' },
    });
  }
  return { user, membership: await createOrganization(tx, account.organizationName, user) };
}
