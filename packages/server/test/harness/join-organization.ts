import type { Member, TestApp } from './index.ts';

/**
 * Registers a person who accepts an invitation from this admin. They act in that organization by its path or header.
 */
export async function joinOrganization(
  test: TestApp,
  admin: Member,
  role: 'admin' | 'billing' | 'member' = 'member',
  name = 'Grace Test',
): Promise<Member> {
  const person = await test.register(name);
  const token = await inviteToOrganization(test, admin, role, person.email);
  const accepted = await test.api.post('/v1/invitations/accept', person.accessToken, { token });
  if (accepted.status !== 200) {
    throw new Error(`the invitation was answered ${accepted.status} ${JSON.stringify(accepted.body)}`);
  }
  return person;
}

/** Invites an address to the admin's organization. Returns the code in the mail. */
export async function inviteToOrganization(
  test: TestApp,
  admin: Member,
  role: 'admin' | 'billing' | 'member',
  email: string,
): Promise<string> {
  const path = `/v1/orgs/${admin.organizationId}/invitations`;
  const invited = await test.api.post(path, admin.accessToken, { email, role });
  const mail = (await test.mailsTo(email)).findLast((each) => each.kind === 'invitation');
  if (invited.status !== 201 || mail?.code === undefined) {
    throw new Error(`the invitation was answered ${invited.status} ${JSON.stringify(invited.body)}`);
  }
  return mail.code;
}
