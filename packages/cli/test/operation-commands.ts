/** What a command works on: the IDs of one customer, and of what the vendor has. */
export interface Vendor {
  organizationId: string;
  organizationName: string;
  email: string;
  userId: string;
  licenseId: string;
  licenseKey: string;
  suspendedLicenseId: string;
  /** The email address of a staff member. */
  colleague: string;
  /** The email address of a user who is not on the staff. */
  candidate: string;
  /** The session of a seat in use. */
  sessionId: string;
  /** An operator token that is no longer needed. */
  tokenId: string;
  invoiceNumber: string;
  invoiceId: string;
  requestId: string;
  /** The catalogue as it is, in a file. */
  cataloguePath: string;
}

/** A command, with the arguments that make it send the operation's request. */
interface OperationCommand {
  command: string;
  words(vendor: Vendor): readonly string[];
}

/** The command for each operation of the operator API. Each new operation needs a line here. */
export const OPERATION_COMMANDS: Readonly<Record<string, OperationCommand>> = {
  listStaff: { command: 'staff list', words: () => [] },
  addStaffMember: { command: 'staff add', words: ({ candidate }) => [candidate, '--role', 'viewer'] },
  changeStaffRole: { command: 'staff set-role', words: ({ colleague }) => [colleague, '--role', 'support'] },
  removeStaffMember: { command: 'staff remove', words: ({ colleague }) => [colleague] },
  listOperatorTokens: { command: 'token list', words: () => [] },
  createOperatorToken: { command: 'token create', words: () => ['--name', 'one more', '--role', 'viewer'] },
  revokeOperatorToken: { command: 'token revoke', words: ({ tokenId }) => [tokenId] },
  listOperatorAuditLog: { command: 'audit', words: ({ organizationId }) => ['--organization', organizationId] },
  listOperatedOrganizations: { command: 'org list', words: ({ organizationId }) => [organizationId] },
  createOperatedOrganization: {
    command: 'org create',
    words: () => ['--name', 'Acme', '--admin-email', 'grace@acme.example', '--tax-id', 'DE123456789'],
  },
  deleteOperatedOrganization: {
    command: 'org delete',
    words: ({ organizationId, organizationName }) => [organizationId, '--confirm', organizationName],
  },
  getOperatedOrganization: { command: 'org show', words: ({ organizationId }) => [organizationId] },
  changeOperatedOrganization: {
    command: 'org update',
    words: ({ organizationId }) => [organizationId, '--notes', 'Pays late', '--metadata', 'crm=4711'],
  },
  listOperatedUsers: { command: 'user list', words: ({ email }) => [email, '--sort', 'email'] },
  getOperatedUser: { command: 'user show', words: ({ userId }) => [userId] },
  unlockOperatedUser: { command: 'user unlock', words: ({ email }) => [email] },
  disableTwoFactorOfOperatedUser: { command: 'user disable-two-factor', words: ({ email }) => [email] },
  getOverview: { command: 'status', words: () => ['--from', '2026-11-01'] },
  getOperatorCatalog: { command: 'catalog show', words: () => [] },
  replaceOperatorCatalog: { command: 'catalog apply', words: ({ cataloguePath }) => [cataloguePath, '--dry-run'] },
  listProducts: { command: 'product list', words: () => [] },
  getProduct: { command: 'product show', words: () => ['studio'] },
  replaceProduct: {
    command: 'product set',
    words: () => [
      'studio',
      '--name',
      'Studio',
      '--feature',
      'projects=number:Projects',
      '--policy',
      'session_timeout=900',
    ],
  },
  listOperatorPayments: { command: 'payments list', words: () => ['--status', 'declined'] },
  listOperatorSubscriptions: { command: 'subscription list', words: () => ['--status', 'active'] },
  listOperatorInvoices: { command: 'invoice list', words: ({ invoiceNumber }) => ['--number', invoiceNumber] },
  createOperatorCredit: {
    command: 'credit add',
    words: ({ organizationId }) => [
      ...['--organization', organizationId, '--amount', '500', '--currency', 'usd'],
      ...['--reason', 'Outage', '--idempotency-key', 'outage-1'],
    ],
  },
  exportInvoices: { command: 'export invoices', words: () => ['--from', '2026-01-01', '-o', 'invoices.csv'] },
  exportPayments: { command: 'export payments', words: () => ['--format', 'jsonl', '-o', 'payments.jsonl'] },
  listOperatorLicenses: { command: 'license list', words: ({ licenseKey }) => ['--key', licenseKey] },
  issueOperatorLicense: {
    command: 'license issue',
    words: ({ organizationId }) => [
      ...['--organization', organizationId, '--product', 'studio', '--seats', '3', '--perpetual'],
      ...['--external-id', 'crm-1', '--metadata', 'region=north', '--policy', 'session_timeout=900'],
    ],
  },
  getOperatorLicense: { command: 'license show', words: ({ licenseId }) => [licenseId] },
  changeOperatorLicense: {
    command: 'license update',
    words: ({ licenseId }) => [licenseId, '--seats', '4', '--expires', '2099-12-31'],
  },
  suspendOperatorLicense: {
    command: 'license suspend',
    words: ({ licenseId }) => [licenseId, '--reason', 'Not paid'],
  },
  reinstateOperatorLicense: { command: 'license reinstate', words: ({ suspendedLicenseId }) => [suspendedLicenseId] },
  revokeOperatorLicense: { command: 'license revoke', words: ({ licenseId }) => [licenseId, '--reason', 'Fraud'] },
  listRefusals: { command: 'refusals', words: ({ organizationId }) => ['--organization', organizationId] },
  explainSeat: { command: 'explain', words: ({ email, licenseKey }) => ['--email', email, '--key', licenseKey] },
  recordUsage: {
    command: 'usage report',
    words: ({ organizationId }) => ['--organization', organizationId, '--meter', 'ai_tokens', '--value', '12.5'],
  },
  getRequestRecord: { command: 'request show', words: ({ requestId }) => [requestId] },
  // From the customer's routes: what a vendor needs every day.
  getLicenseDemand: { command: 'demand', words: ({ licenseKey }) => [licenseKey, '--interval', 'hour'] },
  listLicenseSeats: { command: 'seat list', words: ({ licenseKey }) => [licenseKey] },
  releaseSeat: { command: 'seat release', words: ({ sessionId, licenseId }) => [sessionId, '--license', licenseId] },
  getInvoice: {
    command: 'invoice show',
    words: ({ organizationId, invoiceId }) => [invoiceId, '--organization', organizationId],
  },
};

/** The commands that call the API, which records what they do wherever they run. */
export const API_COMMANDS: readonly string[] = [
  ...Object.values(OPERATION_COMMANDS).map(({ command }) => command),
  // Two more that change an organization.
  'org suspend',
  'org reinstate',
];

/** Operations without a command for the vendor, by reason. Each new operation has a command above or an entry here. */
export const WITHOUT_COMMAND: ReadonlyArray<readonly [reason: string, operationIds: readonly string[]]> = [
  [
    'It is about the logged-in person. A command acts with a token, not as a person.',
    [
      ...['register', 'login', 'refresh', 'logout', 'verifyTwoFactor', 'setUpTwoFactor', 'enableTwoFactor'],
      ...['disableTwoFactor', 'renewRecoveryCodes', 'getCurrentUser', 'getMe', 'updateMe', 'deleteMe', 'exportMe'],
      ...['forgotPassword', 'resetPassword', 'verifyEmail', 'sendEmailVerification', 'listSessions', 'deleteSession'],
      ...['listOauthGrants', 'deleteOauthGrant', 'listOrganizations', 'createOrganization', 'acceptInvitation'],
    ],
  ],
  [
    'It manages customer secrets, which the vendor never sees. `seathold login` creates tokens for your own organization.',
    [
      ...['createApiToken', 'listApiTokens', 'getApiToken', 'deleteApiToken', 'rotateApiToken'],
      ...['createOauthApp', 'listOauthApps', 'getOauthApp', 'updateOauthApp', 'deleteOauthApp'],
      'rotateOauthAppSecret',
    ],
  ],
  [
    'Programs that acquire seats do it, with the client library.',
    [
      ...['acquireSeat', 'getSeatWait', 'leaveSeatWait', 'heartbeatSeat', 'activateLicense'],
      ...['getLicensePublicKey', 'getKeySet', 'getLicenseRevocations'],
    ],
  ],
  [
    'It is part of OAuth, for browsers and apps.',
    [
      ...[
        'getOauthMetadataOfHost',
        'getOauthMetadata',
        'authorizeOauthApp',
        'createOauthDeviceCode',
        'createOauthTokens',
      ],
      ...['revokeOauthToken', 'introspectOauthToken'],
    ],
  ],
  [
    "It is a customer's view of data that a command shows for all organizations.",
    [
      ...['listLicenses', 'getLicense', 'listLicenseSessions', 'listLicenseRefusals', 'listAuditLog'],
      ...['listSubscriptions', 'getSubscription', 'listInvoices', 'listPlans', 'getPlan', 'getOrganization'],
    ],
  ],
  [
    'Customers do it in the dashboard or with the client library; staff do it for them over the API with X-Organization-Id.',
    [
      ...['updateOrganization', 'deleteOrganization', 'listMembers', 'changeMemberRole', 'removeMember'],
      ...['createInvitation', 'listInvitations', 'revokeInvitation', 'listActivations', 'deleteActivation'],
      ...[
        'listProjects',
        'createProject',
        'getProject',
        'updateProject',
        'deleteProject',
        'getProjectUsage',
        'getUsage',
      ],
      ...['createSubscription', 'updateSubscription', 'getOrderPreview', 'previewSubscription', 'cancelSubscription'],
      ...['resumeSubscription', 'listPaymentMethods', 'attachPaymentMethod', 'deletePaymentMethod'],
      ...['getCreditBalance', 'getInvoicePdf', 'payInvoice'],
      ...['createWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'],
      ...['createWebhookPortalLink', 'exchangeWebhookPortalLink'],
      ...['testWebhook', 'listWebhookDeliveries', 'getWebhookDelivery', 'retryWebhookDelivery'],
      ...['replayWebhook', 'cancelWebhookReplay', 'listWebhookReplays', 'getWebhookReplay'],
      ...['listEvents', 'getEvent', 'listEventTypes', 'streamEvents'],
    ],
  ],
  [
    'It exists only in the sandbox, for developers who try out the API.',
    ['makeSandboxPaymentMethod', 'confirmSandboxPayment', 'getSandboxClock', 'advanceSandboxClock'],
  ],
];
