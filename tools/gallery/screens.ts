/** Whose screen it is. */
export type Viewer = 'nobody' | 'customer' | 'newcomer' | 'staff';

/** A picture of the gallery. */
export interface Screen {
  name: string;
  /** What stands under it. */
  title: string;
  viewer: Viewer;
  path: string;
  /** What is done before it is taken: the name of a button or tab to press. */
  press?: string;
  /** The service answers it with an error, which browsers report. */
  isRefused?: boolean;
  /** Its address works once. */
  isOnce?: boolean;
  /** Shown in German too. */
  inGerman?: boolean;
}

/** Ids that the seeded customer's addresses need. */
export interface Ids {
  license: string;
  subscription: string;
  invoice: string;
  webhook: string;
  delivery: string;
  organization: string;
  user: string;
  email: string;
  portal: string;
  oauth: string;
}

const code = '#code=svc_inv_example&email=grace%40example.com';

/** Every screen, in the order in which people meet them. */
export function listScreens(ids: Ids): Screen[] {
  return [
    ...wayIn(ids),
    ...customers(ids),
    ...emptyStates(),
    ...staff(ids),
    { name: 'portal', title: 'The webhook portal', viewer: 'nobody', path: ids.portal, isOnce: true },
  ];
}

function wayIn({ oauth }: Ids): Screen[] {
  const nobody = (name: string, title: string, path: string, inGerman = false): Screen => ({
    name,
    title,
    path,
    viewer: 'nobody',
    inGerman,
  });
  return [
    nobody('login', 'Log in', '/login', true),
    nobody('register', 'Create an account', '/register'),
    nobody('forgot-password', 'Forgot your password', '/forgot-password'),
    nobody('reset-password', 'Set a new password through the emailed link', `/reset-password${code}`),
    nobody('verify-email', 'Verify an address', '/verify-email'),
    nobody('accept-invitation', 'Accept an invitation', `/accept-invitation${code}`, true),
    nobody('oauth-login', 'Log in for an app', oauth),
    nobody('oauth-forgot-password', 'Forgot your password, without JavaScript', '/oauth/forgot-password'),
    {
      name: 'oauth-error',
      title: 'An invalid login request',
      viewer: 'nobody',
      path: '/oauth/authorize?client_id=unknown',
      isRefused: true,
    },
    nobody('staff-setup', 'The one-time link for new staff', '/oauth/staff-setup'),
  ];
}

function customers({ license, subscription, invoice, webhook, delivery }: Ids): Screen[] {
  const mine = (name: string, title: string, path: string, more: Partial<Screen> = {}): Screen => ({
    name,
    title,
    path,
    viewer: 'customer',
    ...more,
  });
  return [
    mine('overview', 'Overview', '/', { inGerman: true }),
    mine('licenses', 'Licenses', '/licenses'),
    mine('license', 'A license and its live seats', `/licenses/${license}`, { inGerman: true }),
    mine('license-demand', 'How many seats would be enough', `/licenses/${license}`, { press: 'Demand' }),
    mine('subscriptions', 'Subscriptions', '/subscriptions'),
    mine('subscription', 'A subscription', `/subscriptions/${subscription}`, { inGerman: true }),
    mine('buy', 'Buy a plan', '/subscriptions/new', { inGerman: true }),
    mine('invoices', 'Invoices', '/invoices'),
    mine('invoice', 'An invoice', `/invoices/${invoice}`, { inGerman: true }),
    mine('payment-methods', 'Payment methods', '/payment-methods'),
    mine('billing-details', 'Billing details', '/billing-details'),
    mine('usage', 'Usage', '/usage'),
    mine('api-keys', 'API keys', '/api-keys'),
    mine('api-key-create', 'Create an API key', '/api-keys', { press: 'Create API key' }),
    mine('oauth-apps', 'OAuth apps', '/oauth-apps'),
    mine('connected-apps', 'Connected apps', '/connected-apps'),
    mine('webhooks', 'Webhooks', '/webhooks'),
    mine('webhook', 'An endpoint and its deliveries', `/webhooks/${webhook}`),
    mine('delivery', 'A delivery and its attempts', `/webhooks/${webhook}/deliveries/${delivery}`),
    mine('events', 'Events', '/events'),
    mine('projects', 'Projects', '/projects'),
    mine('members', 'Members', '/members'),
    mine('member-invite', 'Invite a member', '/members', { press: 'Invite member' }),
    mine('settings', 'Organization settings', '/settings'),
    mine('audit-log', 'Audit log', '/audit-log'),
    mine('account', 'Your account', '/account'),
    mine('two-factor', 'Turn on two-factor authentication', '/account', { press: 'Turn on' }),
    mine('not-found', 'Page not found', '/nowhere/at/all'),
  ];
}

function emptyStates(): Screen[] {
  const fresh = (name: string, title: string, path: string): Screen => ({ name, title, path, viewer: 'newcomer' });
  return [
    fresh('first-overview', 'The first minute', '/'),
    fresh('no-licenses', 'No licenses yet', '/licenses'),
    fresh('no-api-keys', 'No API keys yet', '/api-keys'),
    fresh('no-webhooks', 'No endpoints yet', '/webhooks'),
    fresh('no-subscriptions', 'No subscriptions yet', '/subscriptions'),
    fresh('no-invoices', 'No invoices yet', '/invoices'),
  ];
}

function staff({ organization, license, user, email }: Ids): Screen[] {
  const ours = (name: string, title: string, path: string, more: Partial<Screen> = {}): Screen => ({
    name: `staff-${name}`,
    title,
    path: `/staff${path}`,
    viewer: 'staff',
    ...more,
  });
  return [
    ours('overview', 'Staff: overview', '', { inGerman: true }),
    ours('customers', 'Staff: customers', '/customers'),
    ours('customer', 'Staff: a customer', `/customers/${organization}`),
    ours('users', 'Staff: users', '/users'),
    ours('user', 'Staff: a user', `/users/${user}`),
    ours('licenses', 'Staff: licenses', '/licenses'),
    ours('license', 'Staff: a license', `/licenses/${license}`),
    ours('refusals', 'Staff: refused seats', '/refusals'),
    ours('explain', 'Staff: explain a refusal', `/explain?email=${encodeURIComponent(email)}&license_id=${license}`),
    ours('subscriptions', 'Staff: subscriptions', '/subscriptions'),
    ours('invoices', 'Staff: invoices', '/invoices'),
    ours('payments', 'Staff: payments', '/payments'),
    ours('exports', 'Staff: exports', '/exports'),
    ours('catalogue', 'Staff: the catalogue', '/catalogue'),
    ours('products', 'Staff: products', '/products'),
    ours('team', 'Staff: the team', '/team'),
    ours('tokens', 'Staff: operator tokens', '/tokens'),
    ours('audit-log', 'Staff: audit log', '/audit-log'),
    {
      name: 'acting',
      title: 'Staff acting for a customer',
      viewer: 'staff',
      path: `/act-for/${organization}/licenses`,
    },
  ];
}
