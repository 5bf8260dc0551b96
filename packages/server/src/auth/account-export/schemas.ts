import { type Static, Type } from 'typebox';

const Item = Type.Object({}, { additionalProperties: true });
const items = (description: string) => Type.Optional(Type.Array(Item, { description }));

/** The answer of GET /v1/me/export. What each item has is what the API shows of such a thing, without secrets. */
export const AccountExport = Type.Object(
  {
    user: Type.Optional(Item),
    organizations: items('Your organizations, with your role and when you joined.'),
    membership_events: items('Events of your invitations, and of how you joined, changed roles and left.'),
    two_factor: Type.Optional(Item),
    oauth_grants: items('What you allow apps to do.'),
    browser_logins: items('Your logins at the authorization server.'),
    oauth_apps: items('The apps that you registered.'),
    invitations_received: items('Invitations to your address.'),
    invitations_sent: items('Invitations that you sent, without the addresses of others.'),
    mails_waiting: items('Mails to you that are still to be sent.'),
    login_sessions: items('Your logins, with address and program, those included that have ended.'),
    api_tokens: items('Your API tokens, without their secrets.'),
    held_seats: items('The seats that you hold now, with what your programs told of themselves.'),
    seat_sessions: items('The seats that you used, with what your programs told of themselves.'),
    audit_entries: items('What you did, from which address.'),
    audit_entries_about_you: items(
      'What others did to your account, your memberships and invitations to your address.',
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Continues the sections that have more: send it as cursor. Null when the export is complete.',
    }),
  },
  { title: 'AccountExport', additionalProperties: true },
);
export type AccountExport = Static<typeof AccountExport>;
