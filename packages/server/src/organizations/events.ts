import { type Static, Type } from 'typebox';
import { defineEvent } from '../events/index.ts';
import { ROLES } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';
import { AvatarUrl } from '../users/index.ts';

const Time = Type.String({ format: 'date-time' });
const Role = Type.Enum([...ROLES]);
const OrganizationId = Type.String({ pattern: idPattern('organization') });
const UserId = Type.String({ pattern: idPattern('user') });

const UserIdOrNull = Type.Union([UserId, Type.Null()], {
  description: "The user who sent the invitation. Null if one of the vendor's programs did.",
});

/** An invitation as the API shows one, never its token. */
export const Invitation = Type.Object(
  {
    id: Type.String({ pattern: idPattern('invitation') }),
    organization_id: OrganizationId,
    email: Type.String(),
    role: Role,
    status: Type.Enum(['pending', 'accepted', 'expired', 'revoked']),
    invited_by: UserIdOrNull,
    created_at: Time,
    expires_at: Time,
    accepted_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

/** A member of an organization as the API shows one. */
export const Member = Type.Object(
  {
    user_id: UserId,
    organization_id: OrganizationId,
    email: Type.String(),
    name: Type.String(),
    avatar_url: AvatarUrl,
    role: Role,
    created_at: Type.String({ format: 'date-time', description: 'When the member joined.' }),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

const ORGANIZATION_ID = 'org_01kagt2m8xf3q9wz5r7e6b4c1j';
const ADMIN_ID = 'usr_01kagt2m8xf3q9wz5r7e6b4c1f';
/** An invitation, for the API reference. */
export const INVITATION_EXAMPLE = {
  id: 'invite_01kagt2m8xf3q9wz5r7e6b4c1k',
  organization_id: ORGANIZATION_ID,
  email: 'grace@example.com',
  role: 'member' as const,
  status: 'pending' as const,
  invited_by: ADMIN_ID,
  created_at: '2026-01-31T12:00:00.000Z',
  expires_at: '2026-02-07T12:00:00.000Z',
  accepted_at: null,
};
/** A member, for the API reference. */
export const MEMBER_EXAMPLE = {
  user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1m',
  organization_id: ORGANIZATION_ID,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  avatar_url: 'https://localhost:8443/avatar.svg',
  role: 'member' as const,
  created_at: '2026-02-01T08:00:00.000Z',
};

export const ORG_MEMBER_INVITED = defineEvent({
  type: 'org.member.invited',
  description: 'An admin invited a new member to the organization.',
  schema: Type.Object({ ...Invitation.properties, invitation_id: Type.String() }),
  example: { ...INVITATION_EXAMPLE, invitation_id: INVITATION_EXAMPLE.id },
});

export const ORG_MEMBER_JOINED = defineEvent({
  type: 'org.member.joined',
  description: 'A user accepted an invitation and became a member.',
  schema: Type.Object({ ...Member.properties, invitation_id: Type.String() }),
  example: { ...MEMBER_EXAMPLE, invitation_id: INVITATION_EXAMPLE.id },
});

export const ORG_MEMBER_REMOVED = defineEvent({
  type: 'org.member.removed',
  description: 'A member was removed by an admin, or left. If they left, `removed_by` is their own user ID.',
  schema: Type.Object({ ...Member.properties, removed_by: UserIdOrNull }),
  example: { ...MEMBER_EXAMPLE, removed_by: ADMIN_ID },
});

export const ORG_MEMBER_ROLE_CHANGED = defineEvent({
  type: 'org.member.role_changed',
  description: 'The role of a member changed.',
  schema: Type.Object({ ...Member.properties, previous_role: Role, changed_by: UserIdOrNull }),
  example: { ...MEMBER_EXAMPLE, role: 'billing', previous_role: 'member', changed_by: ADMIN_ID },
});

export const ORG_SUSPENDED = defineEvent({
  type: 'org.suspended',
  description: 'The organization was suspended: its tokens are refused, except to read what it owes and to pay.',
  schema: Type.Object({ organization_id: OrganizationId, reason: Type.String() }),
  example: { organization_id: ORGANIZATION_ID, reason: 'Shares its license keys on a forum' },
});

export const ORG_REINSTATED = defineEvent({
  type: 'org.reinstated',
  description: 'The suspension of the organization ended.',
  schema: Type.Object({ organization_id: OrganizationId }),
  example: { organization_id: ORGANIZATION_ID },
});

/** No customer is left to notify, so it is only for other rooms. */
export const ORG_DELETED = defineEvent({
  type: 'org.deleted',
  description: 'An organization was deleted.',
  schema: Type.Object({ organization_id: OrganizationId }),
  example: { organization_id: ORGANIZATION_ID },
  isInternal: true,
});

export const ORGANIZATION_EVENTS = [
  ORG_MEMBER_INVITED,
  ORG_MEMBER_JOINED,
  ORG_MEMBER_REMOVED,
  ORG_MEMBER_ROLE_CHANGED,
  ORG_SUSPENDED,
  ORG_REINSTATED,
];
