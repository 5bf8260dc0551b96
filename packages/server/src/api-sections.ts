/** What each section of the API reference is about, by its tag. */
export const API_SECTIONS: Readonly<Record<string, string>> = {
  Authentication:
    'Register, log in, and manage your own account: two-factor authentication, sessions, password, and personal data.',
  'API tokens': 'Long-lived tokens for servers, the command line, and CI.',
  'OAuth apps': 'Apps that act on behalf of users, and the access that users have granted to them.',
  Organizations: 'The companies that own everything else. Every request acts in one organization.',
  Members: 'The users of an organization, and their roles.',
  Invitations: 'Offers to join an organization, sent by email.',
  'Audit log': 'The record of who changed what in an organization.',
  Projects: 'Parts of an organization, each with its own report of seat usage.',
  Plans: 'What customers can subscribe to. No token is needed.',
  Subscriptions: 'Seats of a plan, paid for one month in advance. Each subscription has one license.',
  'Payment methods': 'The cards that subscriptions are charged to.',
  Invoices: 'What is owed and what was paid, with PDFs.',
  Operator: 'For the operator of the service: staff and operator tokens. These requests work across organizations.',
  Licenses: 'The right to use a product on a number of seats.',
  Seats: 'Acquire a seat, keep it alive with heartbeats, and release it.',
  Usage: 'Seats and meters used in the current period.',
  Sandbox: 'Test cards, test payments, and time travel. Available only in the sandbox.',
  Events: 'The record of what happened in an organization, which is also delivered to webhook endpoints.',
  Webhooks: 'Endpoints that receive signed events, and the history of their deliveries.',
};
