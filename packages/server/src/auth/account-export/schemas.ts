import { type Static, Type } from 'typebox';

const Item = Type.Object({}, { additionalProperties: true });
const items = (description: string) => Type.Optional(Type.Array(Item, { description }));

/** The answer of GET /v1/me/export. Items have the fields that the API shows, without secrets. */
export const AccountExport = Type.Object(
  {
    user: Type.Optional(Item),
    organizations: items('Your organizations, with your role and when you joined.'),
    membership_events: items('Events about your invitations, and about when you joined, left, and changed roles.'),
    two_factor: Type.Optional(Item),
    oauth_grants: items('Your OAuth grants to apps.'),
    browser_logins: items('Your browser sessions at the authorization server.'),
    oauth_apps: items('The OAuth apps that you registered.'),
    invitations_received: items('Invitations to your address.'),
    invitations_sent: items('Invitations that you sent, without the addresses of others.'),
    mails_waiting: items('Emails to you that have not been sent yet.'),
    login_sessions: items('Your sessions, past and current, with IP address and user agent.'),
    api_tokens: items('Your API tokens, without their secrets.'),
    held_seats: items('The seats that you currently hold, with the metadata that your programs sent.'),
    seat_sessions: items('The seats that you used, with the metadata that your programs sent.'),
    audit_entries: items('What you did, and from which IP address.'),
    audit_entries_about_you: items(
      'What others did to your account, your memberships, and invitations to your address.',
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass it as `cursor` to continue the sections that have more. Null when the export is complete.',
    }),
  },
  { title: 'AccountExport', additionalProperties: true },
);
export type AccountExport = Static<typeof AccountExport>;
